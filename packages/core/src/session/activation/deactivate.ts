import { readInput } from '../../tools/input.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { SessionContext } from '../context.ts'
import { refused } from '../calls/refusal.ts'
import { runPostHooks } from './hooks.ts'
import { unmountSkill } from './mounting.ts'
import type { ActiveSkill, SessionChange, SessionState } from '../state/state.ts'

/** What a deactivation works on. */
export interface DeactivationContext {
  readonly context: SessionContext
  /** The stack that the call is judged by: that of its step. */
  readonly active: () => readonly ActiveSkill[]
  readonly state: () => SessionState
  readonly change: (change: SessionChange) => void
}

/** Carries out a call that deactivates a skill: the one that was activated last, and no other. */
export async function deactivate(deactivation: DeactivationContext, call: ToolCall): Promise<Outcome> {
  const { context, active } = deactivation
  const top = active().at(-1)
  const input = readInput(context.toolNames.deactivate, call.input ?? {})
  const named = 'wrong' in input ? input : input.text('name')
  if ('wrong' in named) return refused({ code: 'INPUT_INVALID', reason: named.wrong })
  const name = named.value || top?.name
  if (top === undefined || !active().some((skill) => skill.name === name)) {
    const which =
      name === undefined ? 'No skill is active.' : `The skill ${JSON.stringify(name.slice(0, 80))} is not active.`
    return refused({ code: 'SKILL_NOT_ACTIVE', reason: which })
  }
  if (name !== top.name) {
    return refused({
      code: 'SKILL_NOT_ON_TOP',
      reason: `"${name}" cannot be deactivated yet: "${top.name}" was activated after it. Deactivate "${top.name}" first.`,
    })
  }
  if (top.inherited === true || top.forked === true) {
    return refused({
      code: 'SKILL_PINNED',
      reason: `"${name}" stays active: it is what this work is done under. Finish the work, and it ends by itself.`,
    })
  }
  // Left once, where two calls of one message leave it.
  if (deactivation.state().active.some((skill) => skill.name === top.name)) {
    const about = { active: active(), call, skill: top }
    const unaudited = await context.audit?.intent({ type: 'skill.deactivated', outcome: 'succeeded', ...about })
    if (unaudited !== undefined) return unaudited
  }
  await leave(deactivation, top.name)
  return {
    ok: true,
    value: { name, active: false },
    text: `The skill "${name}" is no longer active, and its restriction is lifted.`,
  }
}

/**
 * Takes a skill off the stack, removes its private copy and runs its hooks, whoever wants it: the model, or the end of
 * the task. What fails then is a problem of the session's and keeps nothing back. Never rejects.
 */
export async function leave(deactivation: DeactivationContext, name: string): Promise<void> {
  const { context, state, change } = deactivation
  // As the state has it: another call of the same message may have left it, and it is left once.
  const skill = state().active.find((active) => active.name === name)
  change({ type: 'deactivated', name })
  if (skill === undefined) return
  // First what cannot take long: a hook may hang until its time is over.
  if (skill.mount !== undefined) await unmountSkill(context, state().id, name)
  await runPostHooks(deactivation, skill)
}
