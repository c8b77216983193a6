import { readInput } from '../../tools/input.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { MAX_NAME_CHARS, type Refused, refused } from '../refusal.ts'
import type { StateHolder } from '../state/holder.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type PostHookContext, runPostHooks } from './hooks.ts'
import { unmountSkill } from './mount.ts'
import { quote, quoteBeginning, quoteName } from '../../text/quote.ts'

/** What a skill is removed from the stack with. */
export interface RemovalContext extends PostHookContext {
  readonly context: PostHookContext['context'] & Pick<SessionContext, 'mounts' | 'loadTimeout'>
  readonly state: Pick<StateHolder, 'current' | 'apply' | 'hasUnknownAnswer'>
}

/** What a deactivation works on. */
export interface DeactivationContext extends RemovalContext {
  readonly context: RemovalContext['context'] & Pick<SessionContext, 'toolNames'>
  /** The stack that the call is judged by: that of its step. */
  readonly active: () => readonly ActiveSkill[]
}

/** Carries out a call that deactivates a skill: the one that was activated last, and no other. */
export async function deactivate(deactivation: DeactivationContext, call: ToolCall): Promise<Outcome> {
  const { context, state } = deactivation
  const active = deactivation.active()
  const top = active.at(-1)
  const input = readInput(context.toolNames.deactivate, call.input ?? {})
  const requested = 'wrong' in input ? input : input.text('name')
  if ('wrong' in requested) return refused({ code: 'INPUT_INVALID', reason: requested.wrong })
  const name = requested.value || top?.name
  if (top === undefined || !active.some((skill) => skill.name === name)) return notActive(name)
  if (name !== top.name) {
    return refused({
      code: 'SKILL_NOT_ON_TOP',
      reason: `${quote(name ?? '')} cannot be deactivated yet: ${quoteName(top.name)} was activated after it. Deactivate ${quoteName(top.name)} first.`,
    })
  }
  if (top.inherited === true || top.forked === true) {
    return refused({
      code: 'SKILL_PINNED',
      reason: `${quoteName(top.name)} stays active: it is what this work is done under. Finish the work, and it ends by itself.`,
    })
  }
  // On record once, where two calls of one message deactivate it.
  if (state.current().active.some((skill) => skill.name === top.name)) {
    const draft = { active, call, skill: top }
    const unaudited = await context.audit?.recordIntent({
      type: 'skill.deactivated',
      outcome: 'succeeded',
      endedBy: 'call',
      ...draft,
    })
    if (unaudited !== undefined) return unaudited
  }
  await removeSkill(deactivation, top.name)
  return {
    ok: true,
    value: { name, active: false },
    text: `The skill ${quoteName(top.name)} is no longer active, and its restriction is lifted.`,
  }
}

function notActive(name: string | undefined): Refused {
  const which =
    name === undefined ? 'No skill is active.' : `The skill ${quoteBeginning(name, MAX_NAME_CHARS)} is not active.`
  return refused({ code: 'SKILL_NOT_ACTIVE', reason: which })
}

/**
 * Removes a skill from the stack, removes its private copy and runs its hooks, for a call or at the end of the task.
 * Failures are reported as problems and keep nothing back. Never rejects.
 */
export async function removeSkill(removal: RemovalContext, name: string): Promise<void> {
  const { context, state } = removal
  // By the current state: where two calls of one message deactivate it, it is removed once.
  const skill = state.current().active.find((active) => active.name === name)
  state.apply({ type: 'deactivated', name })
  if (skill === undefined) return
  // The copy first: a hook may hang until its time is over.
  if (skill.mount !== undefined) await unmountSkill(context, state.current().id, name)
  await runPostHooks(removal, skill)
}
