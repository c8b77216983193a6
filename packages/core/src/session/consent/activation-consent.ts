import { findHandedOut, type HandedOut, type ToolCall, type GateMode } from '@repertoire/gate/internal'
import type { ConsentDecision, SkillConsentRequest } from '../../ports/consent.ts'
import type { SessionContext } from '../context.ts'
import { runnerKey } from '../scripts/agreed.ts'
import type { StateHolder } from '../state/holder.ts'
import { type Grant, sameGrant, type SessionState } from '../state/state.ts'
import { ask, BEGUN_BEFORE, type CheckpointContext, saveDecision, takeAnswer, withoutAnswer } from './decision.ts'
import type { Place } from './questions.ts'
import { CALL_DIGITS, isSameCall } from './answer.ts'
import { unseenParts, type Manifest, type Skill } from '@repertoire/skill-md/internal'
import type { ScriptCheck } from '../../ports/script-runner.ts'
import { meaningOfYes, preapproves } from '../../disclosure/mode-texts.ts'
import { formatRules } from '../../disclosure/skill-content.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { sha256Of } from '../../text/sha256.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { ToolFit } from '../tool-fit.ts'
import type { Writable } from '../writable.ts'
import { hiddenNamesNote, requestText, unseenNote } from './request-text.ts'

/** Who is asked for consent, and where grants are kept. */
export interface ConsentContext {
  readonly context: Pick<SessionContext, 'consent' | 'consentTimeout' | 'tools'> & CheckpointContext
  readonly state: StateHolder
}

/** What was decided about an activation. */
interface ObtainedConsent extends ConsentDecision {
  /** The answer was a yes to what the folder held before: the next call asks about what it holds now. */
  readonly isOutdated?: true
}

/** Whether consent to what a folder holds was granted earlier in this session. */
export function isGranted(state: SessionState, subject: ConsentSubject): boolean {
  return subject.whole && state.granted.some((grant) => sameGrant(grant, grantFor(subject)))
}

/** How consent to an activation is obtained. */
interface Obtaining {
  /** The call's place among the questions of its task. */
  readonly place: Pick<Place, 'ask'>
  /** What the model passes to the skill. */
  readonly args: string | undefined
  readonly signal: AbortSignal | undefined
}

/**
 * Obtains consent to an activation: granted before, asked for now, or answered since it was asked for. An approval is
 * granted for the rest of the session if the digest covers the whole folder.
 * @throws the signal's reason
 */
export async function obtainConsent(
  consent: ConsentContext,
  call: ToolCall,
  subject: ConsentSubject,
  { place, args, signal }: Obtaining,
): Promise<ObtainedConsent> {
  const { context, state } = consent
  if (wasUsed(state.current(), call, subject)) return { approved: false, reason: BEGUN_BEFORE }
  if (isGranted(state.current(), subject)) return saveDecision(context, { approved: true }, signal)
  const handedOut = await findHandedOut(subject.manifest.allowedTools, context.tools.of(undefined))
  const request = consentRequest(state.current().id, call, subject, args, handedOut)
  const decision =
    context.consent === undefined
      ? recordedDecision(consent, call, request.id)
      : await ask(place, context.consent, request, { timeoutMs: context.consentTimeout, signal })
  // The grant comes after the save: a process that ends before the skill is active leaves nothing that lets it begin again.
  const saved = await saveDecision(context, decision, signal)
  // What cannot be seen whole can change unseen: consent to it is for this activation alone.
  if (saved.approved && subject.whole) state.apply({ type: 'granted', grant: grantFor(subject) })
  return saved
}

/** The answer that was recorded for a request of an earlier run, or why there is none. */
function recordedDecision(consent: ConsentContext, call: ToolCall, requestId: string): ObtainedConsent {
  const { open } = consent.state.current()
  const answered = open.find(({ id }) => id === requestId)
  if (answered?.approved === undefined) {
    const others = open.filter(({ callId, approved }) => callId === call.id && approved !== undefined)
    if (others.length === 0) return withoutAnswer(consent.context, consent.state)
    const earlier = others.filter(({ id }) => isSameCall(id, requestId))
    if (earlier.length === 0) return { approved: false, reason: OTHER_CALL }
    const reason = 'the answer was for the folder as it was before it changed'
    return { approved: false, reason, ...(earlier.some(({ approved }) => approved === true) && { isOutdated: true }) }
  }
  return takeAnswer(consent, { ...answered, approved: answered.approved })
}

/** Whether a call was approved and has begun before, in whatever process, and however far it came. */
export function wasUsed(
  { id, used = [] }: SessionState,
  call: ToolCall,
  { skill }: Pick<ConsentSubject, 'skill'>,
): boolean {
  return isAnyRequestOf(used, id, call, skill)
}

const OTHER_CALL = 'the answer was for another call than this one, or for a skill of another source'

function grantFor(subject: ConsentSubject): Grant {
  const { skill, digest, runner } = subject
  const agreed = runnerKey(runner)
  return {
    skill: skill.name,
    source: skill.source,
    digest,
    ...(agreed !== undefined && { runner: agreed }),
    ...(isPreapproving(subject) && { preapproves: true }),
  }
}

/** What consent is asked for: a skill as its folder holds it now. */
export interface ConsentSubject extends Pick<
  InspectedSkill,
  'digest' | 'whole' | 'scripts' | 'runner' | 'execution' | 'listing' | 'files' | 'assumedRules'
> {
  readonly skill: Pick<Skill, 'name' | 'layer' | 'source' | 'location'>
  /** How its rules are applied. Absent: `restrict`. */
  readonly mode?: GateMode
  /** How its rules fit the host's tools. Absent: they are shown as they are written. */
  readonly fit?: ToolFit
  /** What its runner knows of its scripts. Absent: nothing that a person should know. */
  readonly scriptChecks?: readonly ScriptCheck[] | undefined
  readonly manifest: Pick<Manifest, 'description' | 'hooks' | 'allowedTools' | 'disallowedTools' | 'toolsets'>
}

/** The request for consent to an activation. Another session, call, input or content makes another id. */
export function consentRequest(
  session: string,
  call: ToolCall,
  subject: ConsentSubject,
  args: string | undefined,
  { runsCode, unknown, noEffect }: HandedOut,
): SkillConsentRequest {
  const {
    skill,
    manifest,
    assumedRules,
    digest,
    whole,
    scripts,
    runner,
    listing,
    files,
    fit,
    mode = 'restrict',
  } = subject
  const { hooks, allowedTools, disallowedTools, toolsets } = manifest
  const callHash = sha256Of(callText(session, call, skill))
  const agreed = [digest, runnerKey(runner), isPreapproving(subject) ? 'preapprove' : undefined]
  const content = [callHash, ...agreed.filter((part) => part !== undefined)].join(' ')
  const request: Writable<SkillConsentRequest> = {
    id: callHash.slice(0, CALL_DIGITS) + sha256Of(content).slice(0, FOLDER_DIGITS),
    callId: call.id,
    session,
    skill: skill.name,
    description: manifest.description,
    layer: skill.layer,
    source: skill.source,
    location: skill.location,
    digest,
    scripts,
    hooks: [...hooks.pre, ...hooks.post],
    toolsets,
    meaning: '',
    text: '',
  }
  if (args !== undefined) request.args = args
  if (runner !== undefined) request.runner = runner
  if (subject.scriptChecks !== undefined) request.scriptChecks = subject.scriptChecks
  if (subject.execution !== undefined) request.execution = subject.execution
  const rules = allowedTools ?? assumedRules
  if (rules !== undefined) request.allowedTools = fit?.allowed ?? formatRules(rules)
  if (allowedTools === undefined && assumedRules !== undefined) request.assumedTools = true
  if (fit !== undefined && fit.unmatched.length > 0) request.unmatchedTools = fit.unmatched
  if (fit?.leavesNone === true) request.leavesNoTool = true
  if (disallowedTools !== undefined) request.disallowedTools = fit?.disallowed ?? formatRules(disallowedTools)
  if (mode !== 'restrict') request.mode = mode
  request.meaning = meaningOfYes(mode, {
    allowed: request.allowedTools,
    denied: request.disallowedTools,
    assumed: request.assumedTools === true,
    isExecuted: request.execution !== undefined,
  })
  if (runsCode.length > 0) request.runsCode = runsCode
  if (unknown.length > 0) request.unknownPrograms = unknown
  if (noEffect.length > 0) request.rulesWithoutEffect = noEffect.map(({ rule }) => rule)
  request.text =
    requestText(request) + hiddenNamesNote([...listing.files, ...listing.withheld.files].map(({ path }) => path))
  if (!whole) request.text += unseenNote(unseenParts(listing, files))
  return request
}

/** Whether a yes means that calls of the skill's tools need no further approval. */
function isPreapproving({ mode = 'restrict', manifest, assumedRules }: ConsentSubject): boolean {
  const { allowedTools } = manifest
  return preapproves(mode, { allowed: allowedTools ?? assumedRules, assumed: allowedTools === undefined })
}

/** Hex digits after those, which depend on the call and on the folder. */
const FOLDER_DIGITS = 32

/** Whether one of these requests is for this call, whatever the folder held when it was made. */
export function isAnyRequestOf(
  ids: readonly string[],
  session: string,
  call: ToolCall,
  skill: Pick<Skill, 'name' | 'source'>,
): boolean {
  if (ids.length === 0) return false
  const hash = sha256Of(callText(session, call, skill))
  return ids.some((id) => isSameCall(id, hash))
}

function callText(session: string, call: ToolCall, { name, source }: Pick<Skill, 'name' | 'source'>): string {
  return canonicalJson([session, call.id, call.input ?? null, source, name])
}
