import type { Outcome, Refusal } from '../ports/outcome.ts'
import { showHidden, quoteBeginning } from '@repertoire/skill-md/internal'
import { messageOf } from '../text/message.ts'

/** A call that was not carried out. */
export type Refused = Extract<Outcome, { ok: false }>

/**
 * Returns the outcome of a call that was not carried out. The text that the model is shown is a JSON object, so that it
 * reads the same in every framework. A reason may repeat foreign text: its invisible characters are written out.
 */
export function refused(given: Refusal): Refused {
  const { code, allowedTools } = given
  const reason = showHidden(given.reason)
  // The same object if it is the same text: the audit knows by it what is recorded already.
  const refusal = reason === given.reason ? given : { ...given, reason }
  return {
    ok: false,
    refusal,
    text: JSON.stringify({ error: { code, reason, allowedTools } }),
  }
}

/** Returns the reason of a refusal as the host reads it. */
export function hostReason({ reason, detail }: Pick<Refusal, 'reason' | 'detail'>): string {
  return detail === undefined ? reason : `${reason} ${detail}`
}

/** Characters of a name that a model made up, as a refusal repeats it. */
export const MAX_NAME_CHARS = 80

/** Characters of an error's message that a refusal shows. */
const MAX_FAILURE_CHARS = 1_000

/** Returns an error's message as what the host reads of a refusal. It may come from any source or folder: it is cut. */
export function failureReason(error: unknown): string {
  const text = failureText(error)
  return text.length > MAX_FAILURE_CHARS ? `${text.slice(0, MAX_FAILURE_CHARS)}…` : text
}

/**
 * Returns the text that a model is shown of what a host's tool returned: a string as it is, everything else as JSON,
 * nothing as `null`. For frameworks that do not write results themselves.
 * @throws {TypeError} `JSON.stringify` throws: the value refers to itself, or holds a bigint
 */
export function resultText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? 'null')
}

/** Returns the same, cut if it is too long; a note where the value cannot be JSON. */
export function shownResult(value: unknown, limit: number): string {
  try {
    return cutMarked(resultText(value), limit)
  } catch {
    return '(the result cannot be shown as JSON)'
  }
}

/** Returns the beginning of a text, and how much of it that is. */
export function cutMarked(text: string, limit: number): string {
  return text.length > limit ? `${cutText(text, limit)}… (cut after ${limit} of ${text.length} characters)` : text
}

/** Returns the beginning of a text, never cut in the middle of a character. */
export function cutText(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '') : text
}

/**
 * Returns the text that is the result of a call that was left without one: a person wrote on instead of answering, or a
 * run was broken off. Model APIs take no message behind such a call. For adapters, whose frameworks leave one.
 */
export function abandonedCallText(tool: string): string {
  return `The call of ${quoteBeginning(tool, MAX_NAME_CHARS)} has no result: the conversation continued before it was done. Do not treat it as done, and repeat it only if it is still needed.`
}

/**
 * Returns the text that a model is shown where a tool of the host's threw: the error's message, with what is invisible
 * made visible. Adapters whose framework has its own text leave that alone. Never throws, whatever was thrown.
 */
export function failureText(error: unknown): string {
  return messageOf(error)
}
