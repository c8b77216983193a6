import type { HandedOut, GateMode, ToolCall } from '@repertoire/gate/internal'
import { unseenParts, type Manifest, type Skill } from '@repertoire/skill-md/internal'
import type { SkillConsentRequest } from '../../ports/consent.ts'
import type { ScriptCheck } from '../../ports/script-runner.ts'
import { meaningOfYes, preapproves } from '../../disclosure/mode-texts.ts'
import { formatRules } from '../../disclosure/skill-content.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { sha256Of } from '../../text/sha256.ts'
import { runnerKey } from '../scripts/agreed-runner.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { ToolFit } from '../tool-fit.ts'
import type { Writable } from '../writable.ts'
import { CALL_DIGITS, isSameCall } from './request-id.ts'
import { hiddenNamesNote, requestText, unseenNote } from './request-text.ts'

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
export function isPreapproving({ mode = 'restrict', manifest, assumedRules }: ConsentSubject): boolean {
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
  return jsonOf([session, call.id, call.input ?? null, source, name])
}

/** As JSON with sorted keys. Most inputs have one property and a text, and nothing to sort. */
function jsonOf(values: readonly unknown[]): string {
  return values.every(isSorted) ? JSON.stringify(values) : canonicalJson(values)
}

function isSorted(value: unknown): boolean {
  if (typeof value === 'string' || value === null) return true
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false
  const properties: readonly unknown[] = Object.values(value)
  return properties.length === 0 || (properties.length === 1 && typeof properties[0] === 'string')
}
