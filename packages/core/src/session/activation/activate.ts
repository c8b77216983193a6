import type { Outcome, ToolCall, Mount } from '@repertoire/gate/internal'
import { quoteName } from '@repertoire/skill-md/internal'
import { untilAborted } from '../../time-limit.ts'
import { refuse } from '../refusals.ts'
import type { RequestedSkill } from '../requested-skill.ts'
import { isExecuted } from '../execution/request.ts'
import type { ActiveSkill } from '../state/state.ts'
import { type PreparationContext, prepareActivation, type PreparedActivation } from './prepare.ts'
import type { SharedActivation } from './message-calls.ts'
import type { Activating } from './refusal.ts'
import { repeatActivation } from './repeat.ts'
import type { RequestedExecution } from '../execution/execute-prepared.ts'
import { activationText } from '../../disclosure/skill-content.ts'
import type { SessionContext } from '../context.ts'
import type { StateHolder } from '../state/holder.ts'
import { mountSkill, unmountSkill } from './mount.ts'
import { activationValue } from './active-skill.ts'

/** What a skill is activated with. */
export interface ActivationContext extends PreparationContext, CommitContext {
  readonly context: SessionContext
}

/** A prepared activation that a sub-agent is to run. */
export interface RequestedFork {
  readonly prepared: PreparedActivation
  /** The stack of the step that requests it. */
  readonly active: readonly ActiveSkill[]
  readonly callId: string
}

/** What an activation comes to: its outcome, or a fork or an execution that is still to be run. */
export type ActivationResult = Outcome | { readonly fork: RequestedFork } | { readonly execution: RequestedExecution }

/**
 * Activates a skill: inspects its folder, obtains consent, runs its hooks, mounts it, and pushes it onto the stack.
 * What stops it leaves nothing active and nothing mounted. Another call of the same message for the same skill shares the
 * result: nobody is asked twice, and no hook runs twice.
 * @throws the signal's reason
 */
export async function activate(
  activation: ActivationContext,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal?: AbortSignal,
): Promise<ActivationResult> {
  const { context, state } = activation
  const { skill } = requested
  const { message, place } = activating
  const { activations, deactivations, requests } = context.messageCalls
  const { id, active } = state.current()
  const ofMessage = message === undefined ? undefined : { session: id, message, skill: skill.name, callId: call.id }
  const left = ofMessage && deactivations.find(ofMessage)?.catch(() => undefined)
  if (left !== undefined && (await untilAborted(left, signal))?.ok === true)
    return refuse.deactivatedMeanwhile(skill.name)
  const already = active.find(({ name }) => name === skill.name)
  if (already !== undefined) return repeatActivation(activation, call, requested, already)
  if (ofMessage === undefined) return (await activateAlone(activation, call, requested, activating, signal)).result
  const isAsked = context.consent === undefined && (await requests.find(ofMessage)?.catch(() => false)) === true
  for (;;) {
    const other = activations.find(ofMessage)
    if (other === undefined) break
    // The other call may wait for its turn to ask.
    place.release()
    const shared = await untilAborted(
      other.catch(() => undefined),
      signal,
    )
    if (shared === undefined) continue
    if (shared.active !== undefined) {
      state.apply({ type: 'activated', skill: shared.active })
      return repeatActivation(activation, call, requested, shared.active)
    }
    // Other arguments may be accepted where those of the other call are not.
    if (shared.refused !== undefined && shared.refused.refusal.code !== 'INPUT_INVALID') return shared.refused
    for (const grant of shared.grants) state.apply({ type: 'granted', grant })
    return (await activateAlone(activation, call, requested, activating, signal)).result
  }
  if (isAsked) return askedElsewhere(skill.name)
  let result: ActivationResult | undefined
  await activations.lead(ofMessage, async () => {
    const alone = await activateAlone(activation, call, requested, activating, signal)
    ;({ result } = alone)
    return alone.shared
  })
  return result!
}

/** What an activation comes to, and what of it is for other calls of its message. */
interface Activated {
  readonly result: ActivationResult
  readonly shared: SharedActivation
}

async function activateAlone(
  activation: ActivationContext,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal: AbortSignal | undefined,
): Promise<Activated> {
  const { context, state } = activation
  const { skill } = requested
  const active = activation.active()
  const activated = (result: ActivationResult): Activated => ({
    result,
    shared: {
      ...('ok' in result && !result.ok && { refused: result }),
      active: state.current().active.find(({ name }) => name === skill.name),
      grants: state.current().granted.filter((grant) => grant.skill === skill.name),
    },
  })
  try {
    const prepared = await prepareActivation(activation, call, requested, activating, signal)
    if (!('ok' in prepared) && isExecuted(prepared.inspected.manifest, context)) {
      return activated({ execution: { prepared, active } })
    }
    if (!('ok' in prepared) && prepared.inspected.manifest.context === 'fork') {
      return activated({ fork: { prepared, active, callId: call.id } })
    }
    const outcome = 'ok' in prepared ? prepared : await commitActivation(activation, prepared, signal)
    if (!outcome.ok) await context.audit?.recordRefusal(call, active, outcome.refusal, { skill })
    return activated(outcome)
  } catch (error) {
    await context.audit?.record({ type: 'skill.denied', outcome: 'aborted', active, call, skill, error })
    throw error
  }
}

/** Answers a call while another call of its message waits for the answer to the question about its skill. */
function askedElsewhere(name: string): Outcome {
  return {
    ok: true,
    value: { name },
    text: `Another call of this message asks for the skill ${quoteName(name)}. The result of that call says whether the skill is active.`,
  }
}

/** What a prepared activation is committed with. */
interface CommitContext {
  readonly context: Pick<SessionContext, 'mounts' | 'loadTimeout' | 'pinnedFolders' | 'reportProblem' | 'audit' | 'use'>
  readonly state: StateHolder
  /** The stack that the call is judged by: that of its step. */
  readonly active: () => readonly ActiveSkill[]
}

/**
 * Commits a prepared activation: mounts the skill, and pushes it onto the stack of the session whose context is given.
 * @throws the signal's reason
 */
export async function commitActivation(
  commit: CommitContext,
  prepared: PreparedActivation,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { context, state } = commit
  const { inspected, active } = prepared
  const { id } = state.current()
  signal?.throwIfAborted()
  const isUnwanted = (): boolean => state.current().active.every(({ name }) => name !== active.name)
  const mount = await mountSkill(context, id, { skill: active, mounted: inspected, isUnwanted, signal })
  if (mount !== undefined && 'ok' in mount) return mount
  if (signal?.aborted) {
    await unmountSkill(context, id, active.name)
    signal.throwIfAborted()
  }
  return push(commit, prepared, mount)
}

async function push(
  { context, state, active: judgingStack }: CommitContext,
  { call, inspected, active, fit }: PreparedActivation,
  mount: Mount | undefined,
): Promise<Outcome> {
  const since = context.audit?.now()
  const skill = { ...active, ...(mount !== undefined && { mount }), ...(since !== undefined && { since }) }
  const judging = judgingStack()
  state.apply({ type: 'activated', skill })
  context.use.record(skill.name)
  const value = activationValue(inspected, skill)
  const text = activationText(value)
  context.pinnedFolders.rememberText(skill, text)
  const outcome = { ok: true, value, text } as const
  if (context.audit === undefined) return outcome
  const draft = { active: judging, call, skill, unmatchedTools: fit.unmatched }
  await context.audit.record({ type: 'skill.activated', outcome: 'succeeded', ...draft })
  return outcome
}
