import { isDeepStrictEqual } from 'node:util'
import type { Trial } from '../check.ts'
import { differenceFailure, failure, partFailure, show, textFailure, unwantedFailure } from '../failure.ts'
import type { WireRequest } from '../endpoint/wire.ts'

/** Of lists that are longer than this as JSON, only the first different item is reported. */
const MAX_LIST_CHARS = 400

/** Asserts that two values are deeply equal. */
export function same(what: string, seen: unknown, expected: unknown): void {
  if (isDeepStrictEqual(seen, expected)) return
  if (typeof seen === 'string' && typeof expected === 'string') throw textFailure(what, seen, expected)
  if (Array.isArray(seen) && Array.isArray(expected) && show(expected, Infinity).length > MAX_LIST_CHARS) {
    const at = expected.findIndex((each, index) => !isDeepStrictEqual(seen[index], each))
    if (seen.length === expected.length) return same(`number ${at + 1} of ${what}`, seen[at], expected[at])
  }
  const [one, other] = [seen, expected].map((value) => JSON.stringify(value, undefined, 2))
  if (one !== undefined && other !== undefined && one !== other && one.length + other.length > 2 * MAX_LIST_CHARS) {
    throw differenceFailure(what, one, other)
  }
  throw failure(`${what} to be ${JSON.stringify(expected)}`, seen)
}

/** Asserts that a text contains a part, once or more. */
export function contains(what: string, text: string, part: string): void {
  if (!text.includes(part)) throw partFailure(what, text, part)
}

/** Asserts that a text does not contain a part. */
export function lacks(what: string, text: string, part: string): void {
  if (text.includes(part)) throw unwantedFailure(what, text, part)
}

/** Returns how often a part occurs in a text. */
export function times(text: string, part: string): number {
  return text.split(part).length - 1
}

/** Returns the request with that index; `-1` is the last. */
export function request(trial: Trial, number: number): WireRequest {
  const found = trial.requests.at(number)
  if (found === undefined) throw failure(`a request number ${number}`, `${trial.requests.length} requests`)
  return found
}

/** Returns the text of all user messages of a request, including what adapters append to them. */
function userText(wire: WireRequest): string {
  // Some clients join consecutive messages into one.
  return wire.messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n')
}

/** Asserts that the user messages of a request end with this message, followed by nothing but the text. */
export function endsWith(wire: WireRequest, message: string, text = ''): void {
  const all = `\n${userText(wire)}`
  const at = all.lastIndexOf(`\n${message}`)
  if (at < 0) throw failure(`the request to contain ${JSON.stringify(message)}`, all)
  same(`the text after ${JSON.stringify(message)}`, all.slice(at + 1 + message.length).trim(), text.trim())
}

/** Returns how often a part occurs in each request, anywhere in it. */
export function timesShown(trial: Trial, part: string): readonly number[] {
  const written = JSON.stringify(part).slice(1, -1)
  return trial.requests.map((wire) => times(shown(wire), written))
}

/** Whether a request comes from the sub-agent of a skill. */
export function isForkRequest({ messages }: WireRequest): boolean {
  return messages[0]?.text.startsWith('<skill_content') === true
}

/** Returns the numbers, from 1, of the requests that came from sub-agents. */
export function forkRequests(trial: Trial): readonly number[] {
  return trial.requests.flatMap((wire, index) => (isForkRequest(wire) ? [index + 1] : []))
}

/** The names of the tools that a request offers. */
export function offered(wire: WireRequest): readonly string[] {
  return wire.tools.map(({ name }) => name)
}

/** Returns everything that the model was shown in a request, as one text. */
export function shown(wire: WireRequest): string {
  return JSON.stringify([wire.system, wire.tools, wire.messages])
}

/** The names of the host's tools that ran, in starting order. */
export function ran(trial: Trial): readonly string[] {
  return trial.runs.map(({ tool }) => tool)
}

/** A refusal as a model is shown it. */
export interface ShownRefusal {
  readonly code: string
  readonly reason: string
  readonly allowedTools?: readonly string[]
}

/** Asserts that the result of a call is a refusal with that code, and returns the refusal. */
export function refusedWith(trial: Trial, callId: string, code: string): ShownRefusal {
  const text = trial.resultOf(callId)
  const refusal = refusalIn(text)
  if (refusal?.code !== code) throw failure(`the result of ${callId} to be a refusal with the code ${code}`, text)
  return refusal
}

/** Returns the refusal in a result, if it is one. */
export function refusalIn(text: string): ShownRefusal | undefined {
  try {
    return (JSON.parse(text) as { error?: ShownRefusal } | null)?.error
  } catch {
    return undefined
  }
}

/** Asserts that a turn ended with an answer. */
export function done(turn: { readonly status: string }): void {
  if (turn.status !== 'done') throw failure('the turn to end with an answer', turn)
}
