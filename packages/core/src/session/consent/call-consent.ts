import type { CallConsentRequest, ConsentDecision } from '../../ports/consent.ts'
import type { ToolCall } from '@repertoire/gate/internal'
import type { SessionContext } from '../context.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { StateHolder } from '../state/holder.ts'
import { isFork, type SessionState } from '../state/state.ts'
import { ask, BEGUN_BEFORE, type CheckpointContext, saveDecision, takeAnswer, withoutAnswer } from './decision.ts'
import type { Place } from './questions.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { showInvisible, quoteName, showName } from '@repertoire/skill-md/internal'
import { sha256Of } from '../../text/sha256.ts'
import { copyCall } from '../copy-call.ts'
import { CALL_DIGITS, isSameCall } from './answer.ts'

/** What somebody is asked about. */
interface AskedCall {
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
  readonly state: StateHolder
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
    if (wasCallUsed(state.current(), call)) return refuse.callDenied(call.tool, BEGUN_BEFORE)
    const request = callConsentRequest(state.current().id, call, rule, script)
    const { consent, consentTimeout: timeoutMs } = context
    const decision =
      consent === undefined
        ? recorded({ context, state }, request)
        : await ask(place, consent, request, { timeoutMs, signal })
    const { approved, reason } = await saveDecision(context, decision, signal)
    return approved ? undefined : refuse.callDenied(call.tool, reason)
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

/** Characters of an input that a person is shown. */
const MAX_INPUT_CHARS = 8_000

/** Hex digits of the second part of an id: of what the call runs. */
const SUBJECT_DIGITS = 32

/** The script that a call runs. Which one its input means depends on the skills that are active. */
interface CalledScript {
  readonly skill: string
  readonly path: string
}

/**
 * The request for consent to a call that the host's policy asks about. Another session, call, input or script makes
 * another id.
 * @param rule of `policy.ask`
 * @param script absent: the call runs none
 */
function callConsentRequest(session: string, call: ToolCall, rule: string, script?: CalledScript): CallConsentRequest {
  const { id: callId, tool } = call
  // A copy: what is done to the request is not done to the call.
  const copy = copyCall(call)
  const input = 'judged' in copy ? copy.judged.input : call.input
  const text = [
    `Let the agent call ${quoteName(tool)}?`,
    `  input:         ${inputText(input)}`,
    ...(script === undefined
      ? []
      : [`  which runs:    ${quoteName(script.path)} of the skill ${quoteName(script.skill)}`]),
    `  asked because: the policy has the rule ${showName(rule)}, which asks each time`,
  ].join('\n')
  const ofCall = callText(session, call)
  const ofSubject = canonicalJson([ofCall, script && [script.skill, script.path]])
  const id = sha256Of(ofCall).slice(0, CALL_DIGITS) + sha256Of(ofSubject).slice(0, SUBJECT_DIGITS)
  return { id, callId, session, tool, input, rule, text }
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input ?? null) ?? 'null'
  const more = text.length - MAX_INPUT_CHARS
  return more > 0
    ? `${showInvisible(text.slice(0, MAX_INPUT_CHARS))}… and ${more} more characters`
    : showInvisible(text)
}

/** Whether somebody was asked about a call, and said no. */
export function wasCallDenied({ id, open }: SessionState, call: ToolCall): boolean {
  const denied = open.filter((each) => each.callId === call.id && each.approved === false)
  return isAnyCallRequest(
    denied.map((each) => each.id),
    id,
    call,
  )
}

/** Whether a call was approved and has begun before, in whatever process, and however far it came. */
function wasCallUsed({ id, used = [] }: SessionState, call: ToolCall): boolean {
  return isAnyCallRequest(used, id, call)
}

/** Whether one of these requests is about a call, whatever rule asks about it and whatever it would run. */
function isAnyCallRequest(ids: readonly string[], session: string, call: ToolCall): boolean {
  if (ids.length === 0) return false
  const hash = sha256Of(callText(session, call))
  return ids.some((id) => isSameCall(id, hash))
}

/** What the first part of the id of a request is made of. */
function callText(session: string, { id, tool, input }: ToolCall): string {
  return canonicalJson(['call', session, id, tool, input ?? null])
}
