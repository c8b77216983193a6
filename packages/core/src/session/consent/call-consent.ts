import type { ToolCall } from '../../ports/tool.ts'
import { quoteName, showInvisible, showName } from '@repertoire/skill-md/internal'
import type { CallConsentRequest } from '../../ports/consent.ts'
import { canonicalJson } from '../../text/hash.ts'
import type { SessionParts } from '../context.ts'
import { copyCall } from '../call-arguments.ts'
import type { Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SessionState } from '../state/state.ts'
import { answerTo, type Asking } from './asking.ts'
import { BEGUN_BEFORE, callText, idOfRequest, isAnyRequestOf, wasUsed } from './decision.ts'
import { noteQuestion } from './record.ts'
import { beginningOf } from './request-text.ts'

interface AskedCall {
  readonly call: ToolCall
  /** Of `policy.ask`. */
  readonly rule: string
  /** The script that the call runs, which depends on the skills that are active. Absent: it runs none. */
  readonly script?: { readonly skill: string; readonly path: string }
}

/**
 * Obtains consent to a call that the host's policy asks about, as it was answered since it was asked for. It holds for
 * this call alone.
 * @returns the refusal; undefined if it was given
 */
export async function obtainCallConsent(
  session: SessionParts,
  asked: AskedCall,
  asking: Asking,
): Promise<Refused | undefined> {
  const { tool } = asked.call
  const state = session.state.current()
  if (wasUsed(state, asked.call)) return refuse.callDenied(tool, BEGUN_BEFORE)
  const answer = await answerTo(session, callRequest(state.id, asked), asking)
  return answer.approved ? undefined : refuse.callDenied(tool, answer.reason, answer)
}

/** Returns the request for consent to a call; undefined where an approval of it was used. */
export function unusedCallRequest({ state }: SessionParts, asked: AskedCall): CallConsentRequest | undefined {
  const current = state.current()
  return wasUsed(current, asked.call) ? undefined : callRequest(current.id, asked)
}

/** Characters of an input that a person is shown. */
const MAX_INPUT_CHARS = 8_000

/**
 * The request for consent to a call that the host's policy asks about. Another session, call, input or script makes
 * another id.
 */
function callRequest(session: string, { call, rule, script }: AskedCall): CallConsentRequest {
  const { id: callId, tool } = call
  // A copy: what is done to the request is not done to the call.
  const copy = copyCall(call)
  const input = 'judged' in copy ? copy.judged.input : call.input
  const text = [
    `Let the agent call ${quoteName(tool)}?`,
    `  input:         ${beginningOf(JSON.stringify(input ?? null) ?? 'null', MAX_INPUT_CHARS, showInvisible)}`,
    ...(script === undefined
      ? []
      : [`  which runs:    ${quoteName(script.path)} of the skill ${quoteName(script.skill)}`]),
    `  asked because: the policy has the rule ${showName(rule)}, which asks each time`,
  ].join('\n')
  const ofCall = callText(session, call)
  const id = idOfRequest(ofCall, canonicalJson([ofCall, script && [script.skill, script.path]]))
  return noteQuestion({ id, callId, session, tool, input, rule, text }, { call })
}

export function wasCallDenied({ id, open }: SessionState, call: ToolCall): boolean {
  const denied = open.filter(({ callId, approved }) => callId === call.id && approved === false)
  const ids = denied.map((request) => request.id)
  return isAnyRequestOf(ids, id, call)
}
