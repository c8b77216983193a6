import type { CallConsentRequest, ConsentDecision } from '../../ports/consent.ts'
import type { ToolCall } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { Refused } from '../refusal.ts'
import type { StateHolder } from '../state/holder.ts'
import { isFork } from '../state/state.ts'
import { ask } from './ask.ts'
import { BEGUN_BEFORE, type CheckpointContext, saveDecision, takeAnswer, withoutAnswer } from './checkpoint.ts'
import type { Place } from './questions.ts'
import { type CalledScript, callConsentRequest } from './call-request.ts'
import { callDenied, wasCallUsed } from './decided-call.ts'

/** What somebody is asked about. */
export interface AskedCall {
  readonly call: ToolCall
  /** Of `policy.ask`. */
  readonly rule: string
  /** Absent: the call runs none. */
  readonly script?: CalledScript
}

/** How consent to a call is obtained. */
export interface ObtainingForCall {
  /** The call's place among the questions of its task. It is given up once there is an answer. */
  readonly place: Place
  readonly signal: AbortSignal | undefined
}

/** Who is asked about calls, and where answers are kept. */
export interface CallConsentContext {
  readonly context: Pick<SessionContext, 'consent' | 'consentTimeout'> & CheckpointContext
  readonly state: Pick<StateHolder, 'current' | 'apply' | 'hasUnknownAnswer'>
}

/**
 * Obtains consent to a call that the host's policy asks about: from the session's handler now, or as it was answered
 * since it was asked for. It holds for this call alone.
 * @returns the refusal; undefined where it was given
 * @throws the signal's reason
 */
export async function obtainCallConsent(
  { context, state }: CallConsentContext,
  { call, rule, script }: AskedCall,
  { place, signal }: ObtainingForCall,
): Promise<Refused | undefined> {
  try {
    if (wasCallUsed(state.current(), call)) return callDenied(call, BEGUN_BEFORE)
    const request = callConsentRequest(state.current().id, call, rule, script)
    const { consent, consentTimeout: timeoutMs } = context
    const decision =
      consent === undefined
        ? recorded({ context, state }, request)
        : await ask(place, consent, request, { timeoutMs, signal })
    const { approved, reason } = await saveDecision(context, decision, signal)
    return approved ? undefined : callDenied(call, reason)
  } finally {
    place.release()
  }
}

/** Makes the request for consent to a call, for somebody outside of it. Undefined where the session asks by itself. */
export function openCallRequest(
  { context, state }: CallConsentContext,
  { call, rule, script }: AskedCall,
): CallConsentRequest | undefined {
  if (context.consent !== undefined || isFork(state.current()) || wasCallUsed(state.current(), call)) return undefined
  const request = callConsentRequest(state.current().id, call, rule, script)
  state.apply({ type: 'asked', request: { id: request.id, callId: call.id } })
  return request
}

function recorded(consent: CallConsentContext, { id }: CallConsentRequest): ConsentDecision {
  const answered = consent.state.current().open.find((each) => each.id === id)
  if (answered?.approved === undefined) return withoutAnswer(consent.context, consent.state)
  // Once: whoever makes the call again is asked again.
  return takeAnswer(consent, { ...answered, approved: answered.approved })
}
