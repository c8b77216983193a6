import type { ConsentRequest } from '../../ports/consent.ts'
import type { Skill } from '../../ports/skill.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { shown } from '../../text/quote.ts'
import { consentDenied, failureReason, type Refused, refused } from '../calls/refusal.ts'
import type { RequestedSkill } from '../calls/requested-skill.ts'
import { type ConsentContext, isGranted, obtainConsent } from '../consent/obtain.ts'
import { consentRequest } from '../consent/request.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import { tooManyArguments } from './arguments-limit.ts'
import { hooksUnavailable, runPreHooks } from './hooks.ts'
import { type InspectedSkill, inspectSkill } from './inspect.ts'
import { type Activator, activationRefusal } from './refusal.ts'
import { toActiveSkill } from './to-active-skill.ts'
import { type ToolFit, toolFit } from './tool-fit.ts'

/** What an activation is prepared with. */
export interface PreparationContext extends ConsentContext {
  readonly context: Pick<
    SessionContext,
    | 'parser'
    | 'profile'
    | 'consent'
    | 'consentTimeout'
    | 'hooks'
    | 'hookTimeout'
    | 'pinnedFolders'
    | 'messageActivations'
    | 'audit'
    | 'tools'
    | 'gate'
    | 'reportProblem'
  >
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
  activator: Activator,
  signal?: AbortSignal,
): Promise<PreparedActivation | Refused> {
  const { context, state } = preparation
  const { skill, args } = requested
  const inspected = await inspectRequested(context, requested)
  if ('ok' in inspected) return inspected
  const refusal = activationRefusal(inspected, activator, state.current())
  if (refusal !== undefined) return refusal
  const fit = toolFit(inspected.manifest, preparation)
  const subject = { ...inspected, fit }
  // Where the request was made for a later answer, it was said then.
  if (context.consent !== undefined || isGranted(state.current(), subject)) reportNoToolLeft(context, skill, fit)
  const obtained = obtainConsent(preparation, call, subject, args, signal)
  const { approved, reason } = obtained instanceof Promise ? await obtained : obtained
  if (!approved) return consentDenied(skill, reason)
  const active = toActiveSkill(inspected, args, fit)
  const { folder, fileName, files } = inspected
  await context.pinnedFolders.pin(active, { folder, fileName, files })
  if (context.audit !== undefined) {
    const draft = { active: preparation.active(), call, skill: active, unmatchedTools: fit.unmatched }
    const unaudited = await context.audit.recordIntent({ type: 'skill.activating', outcome: 'started', ...draft })
    if (unaudited !== undefined) return unaudited
  }
  const { pre } = inspected.manifest.hooks
  const stopped = pre.length === 0 ? undefined : await runPreHooks(preparation, active, pre, signal)
  return stopped ?? { skill, args, call, session: state.current().id, inspected, active, fit }
}

/**
 * Returns the request for consent that an activation waits for, to be answered later; undefined where it waits for none.
 */
export async function activationConsentRequest(
  preparation: PreparationContext,
  call: ToolCall,
  requested: RequestedSkill,
  by: Activator['by'],
): Promise<ConsentRequest | undefined> {
  const { context, state, active } = preparation
  const { skill, args } = requested
  if (context.consent !== undefined || state.current().ended) return undefined
  if ([...active(), ...state.current().active].some(({ name }) => name === skill.name)) return undefined
  const inspected = await inspectRequested(context, requested)
  if ('ok' in inspected || isGranted(state.current(), inspected)) return undefined
  if (activationRefusal(inspected, { by, canFork: true }, state.current()) !== undefined) return undefined
  const fit = toolFit(inspected.manifest, preparation)
  reportNoToolLeft(context, skill, fit)
  const request = consentRequest(state.current().id, call, { ...inspected, fit }, args)
  state.apply({ type: 'asked', request: { id: request.id, callId: call.id } })
  return request
}

/** Says before anybody agrees that an activation would leave the model without any tool. */
function reportNoToolLeft(
  { reportProblem }: Pick<SessionContext, 'reportProblem'>,
  { name }: Skill,
  { unmatched, leavesNone }: ToolFit,
): void {
  if (!leavesNone) return
  const rules = unmatched.slice(0, MAX_NAMED_RULES).map(shown).join(', ')
  reportProblem({
    code: 'NO_TOOL_LEFT',
    skill: name,
    message: `While the skill "${name}" is active, no tool of the host's can be used: its allowed-tools mean none of them (${rules}). Say in the option \`tools\` which of yours stand for these, such as { searchCode: 'Grep' }.`,
  })
}

/** Rules that a problem names. */
const MAX_NAMED_RULES = 20

/** Inspects a skill's folder, and refuses what cannot be activated before anybody is asked. */
async function inspectRequested(
  { parser, profile, hooks }: Pick<SessionContext, 'parser' | 'profile' | 'hooks'>,
  { skill, args = '' }: RequestedSkill,
): Promise<InspectedSkill | Refused> {
  const broken = (why: string): Refused =>
    refused({ code: 'SKILL_BROKEN', reason: `The skill "${skill.name}" was not activated: ${why}` })
  const tooMany = tooManyArguments(skill.name, args)
  if (tooMany !== undefined) return tooMany
  try {
    const inspected = await inspectSkill(skill, parser, profile)
    if ('broken' in inspected) return broken(inspected.broken)
    return hooksUnavailable(hooks, inspected.manifest) ?? inspected
  } catch (error) {
    // Any source may throw anything: the model is told, and the run goes on.
    return broken(failureReason(error))
  }
}
