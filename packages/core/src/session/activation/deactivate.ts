import { readFields } from '../../tools/skill-tools.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import type { CallScope, SessionParts } from '../context.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { type ActiveSkill, isPinned, taskOf } from '../state/state.ts'
import type { CallOfMessage } from '../shared-records.ts'
import { runPostHooks } from './hooks.ts'
import { unmountSkill } from './mount.ts'
import { quoteName } from '@repertoire/skill-md/internal'

/**
 * Carries out a call that deactivates a skill: the one that was activated last, of those that the call's message leaves
 * active. Two calls of one message for the same skill deactivate it once.
 * @param message the message of the model that the call is in. Absent: its step is not known
 */
export async function deactivate(scope: CallScope, call: ToolCall, message: string | undefined): Promise<Outcome> {
  const { context, state } = scope
  const { deactivations } = context.messageCalls
  const active = scope.active()
  const read = readFields(context.toolNames.deactivate, call.input ?? {}, { name: 'text' })
  if ('wrong' in read) return refuse.inputInvalid(read.wrong)
  const name = read.values.name || active.at(-1)?.name
  const at = active.findIndex((skill) => skill.name === name)
  const skill = active[at]
  if (skill === undefined) return refuse.skillNotActive(name)
  if (isPinned(skill)) return refuse.skillPinned(skill.name)
  const callOn = (of: ActiveSkill): CallOfMessage | undefined =>
    message === undefined ? undefined : { session: taskOf(state.current()), message, skill: of.name, callId: call.id }
  for (const above of active.slice(at + 1).toReversed()) {
    if (state.current().active.every((each) => each.name !== above.name)) continue
    const ofMessage = callOn(above)
    const left = await (ofMessage && deactivations.find(ofMessage))
    if (left?.ok !== true) return refuse.skillNotOnTop(skill.name, above.name)
  }
  const ofMessage = callOn(skill)
  if (ofMessage === undefined) return deactivateTop(scope, call, skill)
  // Nothing is waited for in between: the next call of the message must find this one.
  const other = deactivations.find(ofMessage)
  if (other === undefined) return deactivations.lead(ofMessage, () => deactivateTop(scope, call, skill))
  const shared = await other
  if (shared.ok) state.apply({ type: 'deactivated', name: skill.name })
  return shared
}

async function deactivateTop(scope: CallScope, call: ToolCall, skill: ActiveSkill): Promise<Outcome> {
  const { name } = skill
  const refusal = await deactivateSkill(scope, skill, { by: 'call', call, active: scope.active() })
  if (refusal !== undefined) return refusal
  const text = `The skill ${quoteName(name)} is no longer active: its rules no longer apply.`
  return { ok: true, value: { name, active: false }, text }
}

/** Why a skill is deactivated: a call of the model, the end of the task, or a window that is too small for it. */
interface Reason {
  readonly by: 'call' | 'task' | 'window'
  readonly call?: ToolCall
  /** The stack that the call is judged by. Default: the current one. */
  readonly active?: readonly ActiveSkill[]
}

/**
 * Records that a skill is deactivated, takes it off the stack, removes its private copy and runs its hooks. Does
 * nothing for a skill that is no longer active. Failures of hooks are reported as problems.
 * @returns a refusal where the record cannot be written and the audit is required: the skill then stays active. The end
 * of the task goes on all the same
 */
export async function deactivateSkill(
  session: SessionParts,
  { name }: ActiveSkill,
  { by, call, active = session.state.current().active }: Reason,
): Promise<Refused | undefined> {
  const { context, state } = session
  const skill = state.current().active.find((each) => each.name === name)
  if (skill === undefined) {
    state.apply({ type: 'deactivated', name })
    return undefined
  }
  const draft = { type: 'skill.deactivated', outcome: 'succeeded', endedBy: by, active, call, skill } as const
  if (by === 'task') await context.audit?.record({ ...draft, reason: 'The task ended.' })
  else {
    const refusal = await context.audit?.recordIntent(draft)
    if (refusal !== undefined) return refusal
  }
  state.apply({ type: 'deactivated', name })
  // The copy first: a hook may hang until its time is over.
  if (skill.mount !== undefined) await unmountSkill(session, name)
  await runPostHooks(session, skill)
  return undefined
}
