import { auditedFit } from '../tool-fit.ts'
import type { Outcome } from '../../ports/outcome.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { quoteName } from '@repertoire/skill-md/internal'
import { activationText } from '../../disclosure/skill-content.ts'
import { untilAborted } from '../../time-limit.ts'
import { isAnyRequestOf } from '../consent/decision.ts'
import { closeRequest } from '../consent/record.ts'
import type { CallScope, SessionContext } from '../context.ts'
import { activeGuidance } from '../guidance.ts'
import { executionRefusal } from '../execution/request-and-outcome.ts'
import { isExecuted } from '../inspect-skill.ts'
import { executePrepared } from '../execution/execute-prepared.ts'
import type { Forks } from '../fork/forks.ts'
import { failureReason, hostReason } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import { type ActiveSkill, isPinned, taskOf } from '../state/state.ts'
import type { RequestedSkill, SkillCallScope } from '../requested-skill.ts'
import type { CallOptions } from '../session.ts'
import { activationValue, inspectActive } from './active-skill.ts'
import { mountSkill, unmountSkill } from './mount.ts'
import {
  type Activating,
  prepareActivation,
  type PreparedActivation,
  type RequestedRun,
  tooManyArguments,
} from './prepare.ts'

/** What an activation comes to: its outcome, or a fork or an execution that is still to be run. */
export type ActivationResult = Outcome | RequestedRun

/**
 * Activates a skill: inspects its folder, obtains consent, runs its hooks, mounts it, and pushes it onto the stack.
 * What stops it leaves nothing active and nothing mounted. Another call of the same message for the same skill shares
 * the result: no question is asked twice, and no hook runs twice.
 */
export async function activate(
  scope: CallScope,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal?: AbortSignal,
): Promise<ActivationResult> {
  const { context, state } = scope
  const { skill } = requested
  const { message } = activating
  const { activations, deactivations, requests } = context.messageCalls
  const { active } = state.current()
  const session = taskOf(state.current())
  const ofMessage = message === undefined ? undefined : { session, message, skill: skill.name, callId: call.id }
  const left = ofMessage && deactivations.find(ofMessage)?.catch(() => undefined)
  if (left !== undefined && (await untilAborted(left, signal))?.ok === true)
    return refuse.deactivatedMeanwhile(skill.name)
  const already = active.find(({ name }) => name === skill.name)
  if (already !== undefined) return repeatActivation(scope, call, requested, already)
  if (ofMessage === undefined) return activateAlone(scope, call, requested, activating, signal)
  const isAsked = context.consent === undefined && (await requests.find(ofMessage)?.catch(() => false)) === true
  for (;;) {
    const other = activations.find(ofMessage)
    if (other === undefined) break
    const settled = other.catch(() => undefined)
    const shared = await untilAborted(settled, signal)
    if (shared === undefined) continue
    if (shared.active !== undefined) {
      state.apply({ type: 'activated', skill: shared.active })
      return repeatActivation(scope, call, requested, shared.active)
    }
    // The run that asked about the other call was aborted, or its answer will come.
    if (shared.refused?.waits !== undefined) {
      if (context.consent === undefined) return askedElsewhere(skill.name)
      break
    }
    // Other arguments may be accepted where those of the other call are not.
    if (shared.refused !== undefined && shared.refused.refusal.code !== 'INPUT_INVALID') return shared.refused
    for (const grant of shared.grants) state.apply({ type: 'granted', grant })
    return activateAlone(scope, call, requested, activating, signal)
  }
  if (isAsked) return askedElsewhere(skill.name)
  let result: ActivationResult | undefined
  await activations.lead(ofMessage, async () => {
    result = await activateAlone(scope, call, requested, activating, signal)
    const now = state.current()
    return {
      ...('ok' in result && !result.ok && { refused: result }),
      active: now.active.find(({ name }) => name === skill.name),
      grants: now.granted.filter((grant) => grant.skill === skill.name),
    }
  })
  return result!
}

async function activateAlone(
  scope: CallScope,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal: AbortSignal | undefined,
): Promise<ActivationResult> {
  const { context } = scope
  const { skill } = requested
  const active = scope.active()
  try {
    const prepared = await prepareActivation(scope, call, requested, activating, signal)
    if (!('ok' in prepared)) {
      const { manifest } = prepared.inspected
      if (isExecuted(manifest, context)) return { run: 'execution', prepared, active }
      if (manifest.context === 'fork') return { run: 'fork', prepared, active }
    }
    const outcome = 'ok' in prepared ? prepared : await commitActivation(scope, prepared, signal)
    if (!outcome.ok && outcome.waits === undefined)
      await context.audit?.recordRefusal(call, active, outcome.refusal, { skill })
    return outcome
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

/**
 * Answers the activation of a skill that is active already: a note, or with other arguments than those of its
 * activation the instructions with these.
 * @param active as the call's step has it, or as another call of the same message has activated it
 */
async function repeatActivation(
  scope: CallScope,
  call: ToolCall,
  { skill, args }: RequestedSkill,
  active: ActiveSkill,
): Promise<Outcome> {
  const { id, open } = scope.state.current()
  // Where both calls of one message were asked about, the answer to this one has nothing left to decide.
  const request = open.find(({ id: requestId }) => isAnyRequestOf([requestId], id, call, skill))
  if (request !== undefined) await closeRequest(scope, request)
  if (args === undefined || args === active.args || isPinned(active)) {
    return { ok: true, value: { name: active.name, active: true }, text: note(active) }
  }
  return tooManyArguments(skill, args) ?? (await activationAgain(scope.context, { ...active, args }))
}

/** Returns the activation of an active skill again, from the folder that was agreed to. */
async function activationAgain(context: SessionContext, active: ActiveSkill): Promise<Outcome> {
  try {
    const inspected = await inspectActive(context, active)
    if (inspected === undefined) return refuse.skillBroken(active.name, 'Its folder is not what was agreed to.')
    const refused = await executionRefusal(context, inspected, active.args)
    if (refused !== undefined) return refused
    const value = activationValue(inspected, active)
    return { ok: true, value, text: activationText(value) }
  } catch (error) {
    return refuse.skillBroken(active.name, failureReason(error))
  }
}

function note({ name, inherited }: ActiveSkill): string {
  const hint =
    inherited === true
      ? 'It belongs to the task that this work is a part of, and its rules apply here. Go on without its instructions.'
      : 'Follow its instructions, which were returned before.'
  return `The skill ${quoteName(name)} is already active. ${hint}`
}

/**
 * Commits a prepared activation: mounts the skill, and pushes it onto the stack of the session whose scope is given.
 */
export async function commitActivation(
  scope: CallScope,
  { call, inspected, active: prepared, fit }: PreparedActivation,
  signal?: AbortSignal,
): Promise<Outcome> {
  signal?.throwIfAborted()
  const { context, state } = scope
  const { audit } = context
  const mount = await mountSkill(scope, prepared, inspected, signal)
  if (mount !== undefined && 'ok' in mount) return mount
  if (signal?.aborted) {
    await unmountSkill(scope, prepared.name)
    signal.throwIfAborted()
  }
  const since = audit?.now()
  const skill = { ...prepared, mount, since }
  const judging = scope.active()
  const knownTools = scope.beforeStep === true ? undefined : scope.hostTools()
  const { guided, active: below } = state.current()
  const guidance = await activeGuidance(context, [...below, skill], knownTools, guided)
  state.apply({ type: 'activated', skill })
  context.use.record(skill.name)
  const value = activationValue(inspected, skill)
  const text = activationText(value)
  context.pinnedFolders.rememberText(skill, text)
  const draft = { active: judging, call, skill, ...auditedFit(fit) }
  await audit?.record({ type: 'skill.activated', outcome: 'succeeded', ...draft })
  return { ok: true, value, text: guidance === undefined ? text : `${text}\n\n${guidance}` }
}

/** What a call came to; or what it begins, once nothing has to be asked any more. */
export type Decided = Outcome | { readonly begin: () => Promise<Outcome> }

/** Carries out a decision; undefined: the session has ended. Records a refusal, unless a person may still answer. */
export async function complete(
  { audit, reportProblem }: SessionContext,
  call: ToolCall,
  decided: Decided = refuse.sessionEnded(),
  active: () => readonly ActiveSkill[],
): Promise<Outcome> {
  const outcome = 'ok' in decided ? decided : await decided.begin()
  if (outcome.ok || outcome.waits !== undefined) return outcome
  const { refusal } = outcome
  // What the model is not told of it.
  if (refusal.detail !== undefined) reportProblem({ code: 'SKILL_FAILED', message: hostReason(refusal) })
  await audit?.recordRefusal(call, active(), refusal)
  return outcome
}

/**
 * Decides about an activation, after all that came before. A fork's sub-agent, or what is executed, begins beside what
 * comes next.
 */
export async function decideActivation(
  scope: SkillCallScope,
  forks: Forks,
  { signal, fork }: Pick<CallOptions, 'signal' | 'fork'>,
  work: (signal: AbortSignal) => ActivationResult | Promise<ActivationResult>,
): Promise<Decided> {
  const { lifetime } = scope
  const result = await lifetime.runExclusive<ActivationResult | undefined>(
    () => (lifetime.hasEnded() ? undefined : lifetime.runUntilEnd(signal, work)),
    signal,
  )
  if (result === undefined) return refuse.sessionEnded()
  if ('ok' in result) return result
  return {
    async begin() {
      // A fork is requested only if there is a runner for it.
      const running =
        result.run === 'fork'
          ? forks.run(scope, result, fork!, signal)
          : lifetime.runBeside(signal, (until) => executePrepared(scope, result, until))
      return (await running) ?? refuse.sessionEnded()
    },
  }
}
