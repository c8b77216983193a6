import type { CallConsentRequest } from '../../ports/consent.ts'
import type { ToolCall } from '@repertoire/gate/internal'
import { canonicalJson } from '../../text/canonical-json.ts'
import { showInvisible, quoteName, showName } from '@repertoire/skill-md/internal'
import { sha256Of } from '../../text/sha256.ts'
import { copyCall } from '../copy-call.ts'
import { callText } from './decided-call.ts'
import { CALL_DIGITS } from './request-id.ts'

/** Characters of an input that a person is shown. */
const MAX_INPUT_CHARS = 8_000

/** Hex digits of the second part of an id: of what the call runs. */
const SUBJECT_DIGITS = 32

/** The script that a call runs. Which one its input means depends on the skills that are active. */
export interface CalledScript {
  readonly skill: string
  readonly path: string
}

/**
 * The request for consent to a call that the host's policy asks about. Another session, call, input or script makes
 * another id.
 * @param rule of `policy.ask`
 * @param script absent: the call runs none
 */
export function callConsentRequest(
  session: string,
  call: ToolCall,
  rule: string,
  script?: CalledScript,
): CallConsentRequest {
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
