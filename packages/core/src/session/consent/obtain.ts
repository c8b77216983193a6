import { findHandedOut, type ToolCall } from '@repertoire/gate/internal'
import type { ConsentDecision } from '../../ports/consent.ts'
import type { SessionContext } from '../context.ts'
import { runnerKey } from '../scripts/agreed-runner.ts'
import type { StateHolder } from '../state/holder.ts'
import { type Grant, sameGrant, type SessionState } from '../state/state.ts'
import { ask } from './ask.ts'
import type { Place } from './questions.ts'
import { BEGUN_BEFORE, type CheckpointContext, saveDecision, takeAnswer, withoutAnswer } from './checkpoint.ts'
import { type ConsentSubject, consentRequest, isAnyRequestOf, isPreapproving } from './request.ts'
import { isSameCall } from './request-id.ts'

/** Who is asked for consent, and where grants are kept. */
export interface ConsentContext {
  readonly context: Pick<SessionContext, 'consent' | 'consentTimeout' | 'tools'> & CheckpointContext
  readonly state: Pick<StateHolder, 'current' | 'apply' | 'hasUnknownAnswer'>
}

/** What was decided about an activation. */
export interface ObtainedConsent extends ConsentDecision {
  /** The answer was a yes to what the folder held before: the next call asks about what it holds now. */
  readonly isOutdated?: true
}

/** Whether consent to what a folder holds was granted earlier in this session. */
export function isGranted(state: SessionState, subject: ConsentSubject): boolean {
  return subject.whole && state.granted.some((grant) => sameGrant(grant, grantFor(subject)))
}

/** How consent to an activation is obtained. */
export interface Obtaining {
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
