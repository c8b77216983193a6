import type { CallConsentRequest } from '../../ports/consent.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { showInvisible } from '../../text/escape.ts'
import { sha256Of } from '../../text/sha256.ts'
import { quoteName, showName } from '../../text/quote.ts'

/** Characters of an input that a person is shown. */
const MAX_INPUT_CHARS = 8_000

/** Hex digits of an id, as many as that of a request for an activation has. */
const ID_DIGITS = 48

/**
 * The request for consent to a call that the host's policy asks about. Another session, call or input makes another id.
 * @param rule of `policy.ask`
 */
export function callConsentRequest(session: string, call: ToolCall, rule: string): CallConsentRequest {
  const { id: callId, tool, input } = call
  const shown = inputText(input)
  const text = [
    `Let the agent call ${quoteName(tool)}?`,
    `  input:         ${shown}`,
    `  asked because: the policy has the rule ${showName(rule)}, which asks each time`,
  ].join('\n')
  return { id: callRequestId(session, call), callId, session, tool, input, rule, text }
}

/** The id of the request for a call, whatever rule asks about it. */
export function callRequestId(session: string, { id, tool, input }: ToolCall): string {
  const text = canonicalJson(['call', session, id, tool, input ?? null])
  return sha256Of(text).slice(0, ID_DIGITS)
}

function inputText(input: unknown): string {
  const text = JSON.stringify(input ?? null) ?? 'null'
  const more = text.length - MAX_INPUT_CHARS
  return more > 0
    ? `${showInvisible(text.slice(0, MAX_INPUT_CHARS))}… and ${more} more characters`
    : showInvisible(text)
}
