import type { GateMode } from '@repertoire/gate/internal'
import type { ToolCall } from '../../ports/tool.ts'
import { unseenParts } from '@repertoire/skill-md/internal'
import { meaningOfYes, preapproves } from '../../disclosure/guidance.ts'
import type { SkillConsentRequest } from '../../ports/consent.ts'
import { sha256Of } from '../../text/hash.ts'
import type { SessionParts } from '../context.ts'
import { type InspectedSkill, runnerKey } from '../inspect-skill.ts'
import { type Grant, sameGrant } from '../state/state.ts'
import type { ToolFit } from '../tool-fit.ts'
import { answerTo, type Asking, type CallDecision, saveDecision } from './asking.ts'
import { BEGUN_BEFORE, callText, isSameCall, idOfRequest, wasUsed } from './decision.ts'
import { noteQuestion } from './record.ts'
import { hiddenNamesNote, requestText, ruleWarnings, unseenNote } from './request-text.ts'

/** What consent is asked for: a skill as its folder holds it now. */
export interface ConsentSubject extends InspectedSkill {
  readonly args: string | undefined
  readonly fit: ToolFit
}

export function isGranted({ context, state }: SessionParts, inspected: InspectedSkill): boolean {
  const wanted = grantFor(inspected, context.gate.mode)
  return inspected.whole && state.current().granted.some((grant) => sameGrant(grant, wanted))
}

/**
 * Obtains consent to an activation: granted before, or answered since it was asked for. An approval is granted for the
 * rest of the session if the digest covers the whole folder.
 */
export async function obtainConsent(
  session: SessionParts,
  call: ToolCall,
  subject: ConsentSubject,
  asking: Asking,
): Promise<CallDecision> {
  const { context, state } = session
  if (wasUsed(state.current(), call, subject.skill)) return { approved: false, reason: BEGUN_BEFORE }
  if (isGranted(session, subject)) return saveDecision(context, { approved: true }, asking.signal)
  const request = activationRequest(session, call, subject)
  const decision = await answerTo(session, request, asking, () => otherAnswer(session, request))
  // The grant comes after the save: a process that ends before the skill is active leaves nothing that lets it begin
  // again. What cannot be seen whole can change unseen: consent to it is for this activation alone.
  if (decision.approved && subject.whole) {
    state.apply({ type: 'granted', grant: grantFor(subject, context.gate.mode) })
  }
  return decision
}

/** Says why the answers that were recorded for a call do not count for this request. */
function otherAnswer({ state }: SessionParts, { id, callId }: SkillConsentRequest): CallDecision | undefined {
  const handled = [...state.handled].flatMap(([other, { approved }]) =>
    isSameCall(other, id) ? [{ id: other, approved }] : [],
  )
  const open = state.current().open.filter((each) => each.callId === callId && each.approved !== undefined)
  const answered = [...handled, ...open]
  if (answered.length === 0) return undefined
  const earlier = answered.filter((each) => isSameCall(each.id, id))
  if (earlier.length === 0) return { approved: false, reason: OTHER_CALL }
  const reason = 'the answer was for the folder as it was before it changed'
  return { approved: false, reason, ...(earlier.some(({ approved }) => approved === true) && { isOutdated: true }) }
}

const OTHER_CALL = 'the answer was for another call than this one, or for a skill of another source'

function grantFor(inspected: InspectedSkill, mode: GateMode): Grant {
  const { skill, digest, runner } = inspected
  const agreed = runnerKey(runner)
  return {
    skill: skill.name,
    source: skill.source,
    digest,
    runner: agreed,
    ...(isPreapproving(inspected, mode) && { preapproves: true }),
  }
}

/** Makes the request for consent to an activation. Another session, call, input or content makes another id. */
export function activationRequest(
  { context, state }: SessionParts,
  call: ToolCall,
  subject: ConsentSubject,
): SkillConsentRequest {
  const { mode } = context.gate
  const { skill, manifest, assumedRules, args, digest, runner, execution, listing, fit } = subject
  const { hooks, allowedTools, toolsets } = manifest
  const session = state.current().id
  const ofCall = callText(session, call, skill)
  const agreed = [digest, runnerKey(runner), isPreapproving(subject, mode) ? 'preapprove' : undefined]
  const content = [sha256Of(ofCall), ...agreed.filter((part) => part !== undefined)].join(' ')
  const isAssumed = allowedTools === undefined && assumedRules !== undefined
  // All that is active restricts a sub-agent.
  const composition = execution?.type === 'fork' ? 'all' : context.gate.composition
  const meaning = meaningOfYes(
    { mode, composition },
    {
      allowed: fit.allowed,
      denied: fit.disallowed,
      assumed: isAssumed,
      isExecuted: execution !== undefined,
    },
  )
  const request: Omit<SkillConsentRequest, 'text'> = {
    id: idOfRequest(ofCall, content),
    callId: call.id,
    session,
    skill: skill.name,
    description: manifest.description,
    layer: skill.layer,
    source: skill.source,
    location: skill.location,
    digest,
    scripts: subject.scripts,
    hooks: [...hooks.pre, ...hooks.post],
    toolsets,
    meaning,
    args,
    runner,
    execution,
    allowedTools: fit.allowed,
    assumedTools: isAssumed,
    disallowedTools: fit.disallowed,
    mode,
    warnings: ruleWarnings(fit, context.gate.programs === 'known'),
  }
  const names = [...listing.files, ...listing.withheld.files].map(({ path }) => path)
  const unseen = subject.whole ? '' : unseenNote(unseenParts(listing, subject.files))
  const text = requestText(request) + hiddenNamesNote(names) + unseen
  const rules = allowedTools ?? assumedRules
  const { name, layer, source } = skill
  return noteQuestion({ ...request, text }, { call, skill: { name, layer, source, digest, rules } })
}

function isPreapproving({ manifest: { allowedTools }, assumedRules }: InspectedSkill, mode: GateMode): boolean {
  return preapproves(mode, { allowed: allowedTools ?? assumedRules, assumed: allowedTools === undefined })
}
