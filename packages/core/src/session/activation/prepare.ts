import { inTime } from '../../time-limit.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { activationRequest, isGranted, obtainConsent } from '../consent/activation-consent.ts'
import { wasUsed } from '../consent/decision.ts'
import type { Skill } from '@repertoire/skill-md/internal'
import type { SkillAdmission } from '../../catalog/admission.ts'
import type { CallScope, SessionContext } from '../context.ts'
import { executionRefusal } from '../execution/request-and-outcome.ts'
import { consentExecution, consentRunner, type InspectedSkill, inspectSkill, isExecuted } from '../inspect-skill.ts'
import { failureReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { CallOptions } from '../session.ts'
import type { RequestedSkill } from '../requested-skill.ts'
import { auditedFit, reportUnusable, toolFit, type ToolFit } from '../tool-fit.ts'
import { type ActiveSkill, depthOf, type SessionState } from '../state/state.ts'
import { loadToolsets } from '../toolsets/provided-tools.ts'
import { toActiveSkill } from './active-skill.ts'
import { runPreHooks } from './hooks.ts'

export interface Activator {
  readonly by: 'model' | 'person'
  readonly canFork: boolean
}

export interface Activating extends Activator, Pick<CallOptions, 'recorded'> {
  readonly canWait: boolean
  /** The message of the model that the call is in. Absent: no model made the call, or its step is not known. */
  readonly message?: string | undefined
}

/** A skill that may be activated: inspected, consented to, its hooks before the activation run. Not active yet. */
export interface PreparedActivation extends RequestedSkill {
  readonly call: ToolCall
  readonly inspected: InspectedSkill
  readonly active: ActiveSkill
  readonly fit: ToolFit
}

/** A prepared skill that is run beside other calls: in a sub-agent, or executed. */
export interface RequestedRun {
  readonly run: 'fork' | 'execution'
  readonly prepared: PreparedActivation
  /** The stack of the step that requests it. */
  readonly active: readonly ActiveSkill[]
}

/** Prepares an activation: inspects the folder, obtains consent to what it holds, and runs the hooks before. */
export async function prepareActivation(
  scope: CallScope,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal?: AbortSignal,
): Promise<PreparedActivation | Refused> {
  const { context } = scope
  const agreed = await inspectAgreed(scope, call, requested, activating, signal)
  if ('ok' in agreed) return agreed
  const { inspected, fit } = agreed
  const { folder, fileName, files, manifest } = inspected
  const active = toActiveSkill(inspected, requested.args, fit, context.gate.mode)
  context.pinnedFolders.pin(active, { folder, fileName, files })
  if (context.audit !== undefined) {
    const draft = { active: scope.active(), call, skill: active, ...auditedFit(fit) }
    const unaudited = await context.audit.recordIntent({ type: 'skill.activating', outcome: 'started', ...draft })
    if (unaudited !== undefined) return unaudited
  }
  const { hooks, toolsets } = manifest
  const stopped = hooks.pre.length === 0 ? undefined : await runPreHooks(scope, active, hooks.pre, signal)
  if (stopped !== undefined) return stopped
  const ready = toolsets.length === 0 ? active : await loadToolsets(scope, active, toolsets, signal)
  return 'ok' in ready ? ready : { ...requested, call, inspected, active: ready, fit }
}

/** Inspects a folder and obtains consent to what it holds now. */
async function inspectAgreed(
  scope: CallScope,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal: AbortSignal | undefined,
): Promise<Pick<PreparedActivation, 'inspected' | 'fit'> | Refused> {
  const { skill, args } = requested
  const inspected = await inspectRequested(scope, requested, activating, signal)
  if ('ok' in inspected) return inspected
  const fit = toolFit(inspected, scope)
  const hasGrant = isGranted(scope, inspected)
  const decision = await obtainConsent(
    scope,
    call,
    { ...inspected, args, fit },
    { signal, canWait: activating.canWait, recorded: activating.recorded },
  )
  // If an answer exists, this was said when the request was made.
  if (hasGrant || decision.waits !== undefined) reportUnusable(scope, inspected, fit)
  return decision.approved ? { inspected, fit } : refuse.consentDenied(skill.name, decision)
}

/**
 * Returns the request for consent that an activation waits for; undefined where it waits for none.
 * @param signal aborted at the end of the session
 */
export async function activationConsentRequest(
  scope: CallScope,
  call: ToolCall,
  requested: RequestedSkill,
  by: Activator['by'],
  signal: AbortSignal,
): Promise<ConsentRequest | undefined> {
  const { state, active } = scope
  const { skill, args } = requested
  if ([...active(), ...state.current().active].some(({ name }) => name === skill.name)) return undefined
  const inspected = await inspectRequested(scope, requested, { by, canFork: true }, signal)
  if ('ok' in inspected || isGranted(scope, inspected) || wasUsed(state.current(), call, skill)) return undefined
  const fit = toolFit(inspected, scope)
  reportUnusable(scope, inspected, fit)
  return activationRequest(scope, call, { ...inspected, args, fit })
}

/** Inspects a skill's folder, and refuses what cannot be activated before anybody is asked and before anything runs. */
async function inspectRequested(
  { context, state }: CallScope,
  { skill, args = '' }: RequestedSkill,
  activator: Activator,
  signal: AbortSignal | undefined,
): Promise<InspectedSkill | Refused> {
  const { profile, admission, scripts, loadTimeout } = context
  const tooMany = tooManyArguments(skill, args)
  if (tooMany !== undefined) return tooMany
  try {
    const inspecting = inspectSkill(skill, profile)
    const inspected = await inTime(inspecting, loadTimeout, 'Its folder', signal)
    if ('broken' in inspected) return refuse.skillBroken(skill.name, inspected.broken)
    // The executor is imported for skills that are executed alone.
    const isInstruction = inspected.definition.type === 'instruction'
    return (
      notAdmitted(admission, inspected) ??
      hooksUnavailable(context, inspected) ??
      (isInstruction ? undefined : await executionRefusal(context, inspected, args)) ??
      notPermitted(inspected, activator, state.current(), context) ?? {
        ...inspected,
        assumedRules: admission?.assumedRules(inspected.manifest),
        runner: consentRunner(scripts, inspected),
        execution: consentExecution(inspected, context),
      }
    )
  } catch (error) {
    signal?.throwIfAborted()
    // Any source may throw anything: the model gets the error, and the run goes on.
    return refuse.skillBroken(skill.name, failureReason(error))
  }
}

/** Refuses a skill that asks for more now than the host admits: the catalog may have judged an older file. */
function notAdmitted(admission: SkillAdmission | undefined, inspected: InspectedSkill): Refused | undefined {
  if (admission === undefined) return undefined
  const { manifest, listing, skill } = inspected
  const reasons = [...admission.refusals(manifest), ...admission.fileRefusals(listing)]
  return reasons.length === 0 ? undefined : refuse.skillNotAdmitted(skill.name, reasons)
}

/** Refuses a skill with hooks where nothing runs them: what a hook was to prevent could happen. */
function hooksUnavailable(
  { scripts }: SessionContext,
  { manifest: { name, hooks } }: InspectedSkill,
): Refused | undefined {
  const [first] = [...hooks.pre, ...hooks.post]
  return first === undefined || scripts?.hooks === true ? undefined : refuse.hooksNotRun(name, first)
}

/** How deep forks nest: a fork in a fork in a fork. */
const MAX_FORK_DEPTH = 3

/** Refuses an activation that the skill's manifest does not permit. It may be newer than the catalog. */
function notPermitted(
  { skill: { name }, manifest }: InspectedSkill,
  { by, canFork }: Activator,
  state: SessionState,
  context: SessionContext,
): Refused | undefined {
  if (by === 'person' && !manifest.userInvocable) return refuse.onlyForModels(name)
  if (by === 'model' && manifest.disableModelInvocation) return refuse.onlyForPersons(name)
  // What is executed needs no conversation of its own.
  if (manifest.context !== 'fork' || isExecuted(manifest, context)) return undefined
  if (depthOf(state) >= MAX_FORK_DEPTH) return refuse.forkTooDeep(name, MAX_FORK_DEPTH)
  return canFork ? undefined : refuse.forkUnavailable(name)
}

/** Characters that can be passed to a skill: a session's state carries them. */
const MAX_ARGS_CHARS = 100_000

export function tooManyArguments({ name }: Skill, args: string): Refused | undefined {
  return args.length > MAX_ARGS_CHARS ? refuse.argumentsTooLong(name, args.length, MAX_ARGS_CHARS) : undefined
}
