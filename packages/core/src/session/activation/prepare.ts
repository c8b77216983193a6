import type { SkillAdmission } from '../../catalog/admission.ts'
import { untimedFolder } from '../../catalog/source-skill.ts'
import { measureNow } from '../../resources/digest.ts'
import { inTime } from '../../time-limit.ts'
import type { ConsentRequest } from '../../ports/consent.ts'
import { type ToolCall, findHandedOut } from '@repertoire/gate/internal'
import { failureReason, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { RequestedSkill } from '../requested-skill.ts'
import { MAX_QUESTIONS } from '../consent/decision.ts'
import {
  type ConsentContext,
  consentRequest,
  isGranted,
  obtainConsent,
  wasUsed,
} from '../consent/activation-consent.ts'
import { checkAgreed, consentRunner } from '../scripts/agreed.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { consentExecution, type ExecutionContext, executionRefusal } from '../execution/request.ts'
import { loadToolsets } from '../toolsets/provided-tools.ts'
import { hooksUnavailable, runPreHooks } from './hooks.ts'
import { type InspectedSkill, inspectSkill } from '../inspect-skill.ts'
import { type Activating, type Activator, activationRefusal, tooManyArguments } from './refusal.ts'
import { reportUnusable, type ToolFit, toolFit } from '../tool-fit.ts'
import { toActiveSkill } from './active-skill.ts'

/** What an activation is prepared with. */
export interface PreparationContext extends ConsentContext {
  readonly context: SessionContext
  /** The stack that the call is judged by: that of its step. */
  readonly active: () => readonly ActiveSkill[]
  /** The names of the host's tools. Undefined: not known yet. */
  readonly hostTools: () => readonly string[] | undefined
}

/** A skill that may be activated: inspected, consented to, its hooks before the activation run. It is not active yet. */
export interface PreparedActivation extends RequestedSkill {
  /** The call that requested it. */
  readonly call: ToolCall
  /** The id of the session that it was prepared in. */
  readonly session: string
  readonly inspected: InspectedSkill
  /** What is to be pushed onto a stack, without a private copy yet. */
  readonly active: ActiveSkill
  /** How its rules fit the host's tools. */
  readonly fit: ToolFit
}

/**
 * Prepares an activation: inspects the folder, obtains consent to what it holds, and runs the hooks before.
 * @throws the signal's reason
 */
export async function prepareActivation(
  preparation: PreparationContext,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal?: AbortSignal,
): Promise<PreparedActivation | Refused> {
  const { context, state } = preparation
  const { skill, args } = requested
  const agreeing = inspectAgreed(preparation, call, requested, activating, signal)
  const agreed = await agreeing.finally(activating.place.release)
  if ('ok' in agreed) return agreed
  const { inspected, fit } = agreed
  const active = toActiveSkill(inspected, args, fit, context.gate.mode)
  const { folder, fileName, files } = inspected
  context.pinnedFolders.pin(active, { folder, fileName, files })
  if (context.audit !== undefined) {
    const draft = { active: preparation.active(), call, skill: active, unmatchedTools: fit.unmatched }
    const unaudited = await context.audit.recordIntent({ type: 'skill.activating', outcome: 'started', ...draft })
    if (unaudited !== undefined) return unaudited
  }
  const { pre } = inspected.manifest.hooks
  const stopped = pre.length === 0 ? undefined : await runPreHooks(preparation, active, pre, signal)
  if (stopped !== undefined) return stopped
  const ready = await loadToolsets(preparation, active, inspected.manifest.toolsets, signal)
  return 'ok' in ready ? ready : { skill, args, call, session: state.current().id, inspected, active: ready, fit }
}

/** A skill that was consented to, as its folder was then. */
type AgreedSkill = Pick<PreparedActivation, 'inspected' | 'fit'>

/**
 * Inspects a folder and obtains consent to what it holds. Every file is read again after a handler's yes. If any byte has
 * changed, consent is asked for the new content.
 * @throws the signal's reason
 */
async function inspectAgreed(
  preparation: PreparationContext,
  call: ToolCall,
  requested: RequestedSkill,
  activating: Activating,
  signal: AbortSignal | undefined,
): Promise<AgreedSkill | Refused> {
  const { context, state } = preparation
  const { skill, args } = requested
  for (let questions = 1; questions <= MAX_QUESTIONS; questions++) {
    const inspected = await inspectRequested(context, requested, signal)
    if ('ok' in inspected) return inspected
    const refusal = activationRefusal(inspected, activating, state.current(), context)
    if (refusal !== undefined) return refusal
    const fit = toolFit(inspected, preparation)
    const hasGrant = isGranted(state.current(), { ...inspected, mode: context.gate.mode })
    const isAsked = context.consent !== undefined && !hasGrant
    // Where the request was made for a later answer, it was said then.
    if ((isAsked || hasGrant) && questions === 1) reportUnusable(preparation, inspected, fit)
    const scriptChecks =
      isAsked && context.scripts !== undefined ? await checkAgreed(context.scripts, inspected, signal) : undefined
    const subject = { ...inspected, mode: context.gate.mode, fit, scriptChecks }
    const { place } = activating
    const obtained = await obtainConsent(preparation, call, subject, { place, args, signal })
    const { approved, reason, isOutdated = false } = obtained
    if (!approved) return refuse.consentDenied(skill.name, reason, isOutdated)
    if (!isAsked) return { inspected, fit }
    if (await isUnchanged(inspected, context.loadTimeout, signal)) return { inspected, fit }
  }
  return refuse.consentDenied(
    skill.name,
    `its folder changed each of the ${MAX_QUESTIONS} times that consent was asked for`,
  )
}

/** Whether a folder holds now what was inspected. Where it cannot be read, inspecting it again says why. */
async function isUnchanged(
  { folder, fileName, digest }: InspectedSkill,
  loadTimeout: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const measuring = measureNow(untimedFolder(folder), fileName)
    return (await inTime(measuring, loadTimeout, 'The folder', signal)).digest === digest
  } catch {
    signal?.throwIfAborted()
    return false
  }
}

/**
 * Returns the request for consent that an activation waits for, to be answered later; undefined where it waits for none.
 * @param signal aborted at the end of the session
 * @throws the signal's reason
 */
export async function activationConsentRequest(
  preparation: PreparationContext,
  call: ToolCall,
  requested: RequestedSkill,
  by: Activator['by'],
  signal: AbortSignal,
): Promise<ConsentRequest | undefined> {
  const { context, state, active } = preparation
  const { skill, args } = requested
  if (context.consent !== undefined || state.current().ended) return undefined
  if ([...active(), ...state.current().active].some(({ name }) => name === skill.name)) return undefined
  const read = await inspectRequested(context, requested, signal)
  if ('ok' in read) return undefined
  const inspected = { ...read, mode: context.gate.mode }
  if (isGranted(state.current(), inspected) || wasUsed(state.current(), call, inspected)) return undefined
  if (activationRefusal(inspected, { by, canFork: true }, state.current(), context) !== undefined) return undefined
  const fit = toolFit(inspected, preparation)
  reportUnusable(preparation, inspected, fit)
  const handedOut = await findHandedOut(inspected.manifest.allowedTools, context.tools.of(undefined))
  const scriptChecks = await checkAgreed(context.scripts, inspected, signal)
  const request = consentRequest(state.current().id, call, { ...inspected, fit, scriptChecks }, args, handedOut)
  state.apply({ type: 'asked', request: { id: request.id, callId: call.id } })
  return request
}

/** Inspects a skill's folder, and refuses what cannot be activated before anybody is asked. */
async function inspectRequested(
  context: Pick<SessionContext, 'parser' | 'profile' | 'admission' | 'hooks' | 'scripts' | 'loadTimeout' | 'runStep'>,
  { skill, args = '' }: RequestedSkill,
  signal: AbortSignal | undefined,
): Promise<InspectedSkill | Refused> {
  const { parser, profile, admission, hooks, scripts, loadTimeout } = context
  const tooMany = tooManyArguments(skill.name, args)
  if (tooMany !== undefined) return tooMany
  try {
    const inspecting = inspectSkill(skill, parser, profile, untimedFolder(skill.folder))
    const inspected = await inTime(inspecting, loadTimeout, 'Its folder', signal)
    if ('broken' in inspected) return refuse.skillBroken(skill.name, inspected.broken)
    return (
      notAdmitted(admission, inspected) ??
      hooksUnavailable({ hooks, scripts }, inspected) ??
      (await unexecutable(context, inspected, args)) ?? {
        ...inspected,
        assumedRules: admission?.assumedRules(inspected.manifest),
        runner: consentRunner(scripts, inspected),
        execution: consentExecution(context, inspected),
      }
    )
  } catch (error) {
    signal?.throwIfAborted()
    // Any source may throw anything: the model is told, and the run goes on.
    return refuse.skillBroken(skill.name, failureReason(error))
  }
}

/** Refuses what would not be executed, or is no plan for the model. Nothing is imported for instructions. */
function unexecutable(
  context: ExecutionContext,
  inspected: InspectedSkill,
  args: string,
): Promise<Refused | undefined> | undefined {
  return inspected.definition.type === 'instruction' ? undefined : executionRefusal(context, inspected, args)
}

/** Refuses a skill that asks for more now than the host admits: the catalog may have judged an older file. */
function notAdmitted(admission: SkillAdmission | undefined, inspected: InspectedSkill): Refused | undefined {
  if (admission === undefined) return undefined
  const { manifest, listing, skill } = inspected
  const reasons = [...admission.refusals(manifest), ...admission.fileRefusals(listing)]
  return reasons.length === 0 ? undefined : refuse.skillNotAdmitted(skill.name, reasons)
}
