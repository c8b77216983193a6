import { isDeepStrictEqual } from 'node:util'
import type { Trial } from '../check.ts'
import { failure, partFailure, show, textFailure, unwantedFailure } from '../failure.ts'
import type { WireRequest } from '../endpoint/wire.ts'

/** A list longer than this, as JSON, is told of by the first of its parts that differs. */
const LONG = 400

/** Two values are the same, to the depth. */
export function same(what: string, seen: unknown, expected: unknown): void {
  if (isDeepStrictEqual(seen, expected)) return
  if (typeof seen === 'string' && typeof expected === 'string') throw textFailure(what, seen, expected)
  if (Array.isArray(seen) && Array.isArray(expected) && show(expected, Infinity).length > LONG) {
    const at = expected.findIndex((each, index) => !isDeepStrictEqual(seen[index], each))
    if (seen.length === expected.length) return same(`number ${at + 1} of ${what}`, seen[at], expected[at])
  }
  throw failure(`${what} to be ${JSON.stringify(expected)}`, seen)
}

/** A text holds a part, once or more. */
export function holds(what: string, text: string, part: string): void {
  if (!text.includes(part)) throw partFailure(what, text, part)
}

/** A text does not hold a part. */
export function lacks(what: string, text: string, part: string): void {
  if (text.includes(part)) throw unwantedFailure(what, text, part)
}

/** How often a part stands in a text. */
export function times(text: string, part: string): number {
  return text.split(part).length - 1
}

/** The request of that number, from 0; `-1` is the last. */
export function request(trial: Trial, number: number): WireRequest {
  const found = trial.requests.at(number)
  if (found === undefined) throw failure(`a request number ${number}`, `${trial.requests.length} requests`)
  return found
}

/** What stands in a request from people, and from adapters in their name. */
function said(wire: WireRequest): string {
  // Some clients send what stands behind one another as one message.
  return wire.messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n')
}

/** The messages of people end with this one, and directly behind it with a text; without one, with the message itself. */
export function endsWith(wire: WireRequest, message: string, text = ''): void {
  const all = `\n${said(wire)}`
  const at = all.lastIndexOf(`\n${message}`)
  if (at < 0) throw failure(`the request to hold ${JSON.stringify(message)}`, all)
  same(`what stands behind ${JSON.stringify(message)}`, all.slice(at + 1 + message.length).trim(), text.trim())
}

/** How often a part stands in each request, wherever. */
export function timesShown(trial: Trial, part: string): readonly number[] {
  const written = JSON.stringify(part).slice(1, -1)
  return trial.requests.map((wire) => times(shown(wire), written))
}

/** Whether a request comes from the sub-agent of a skill. */
export function isOfFork({ messages }: WireRequest): boolean {
  return messages[0]?.text.startsWith('<skill_content') === true
}

/** The numbers, from 1, of the requests that came from sub-agents. */
export function ofForks(trial: Trial): readonly number[] {
  return trial.requests.flatMap((wire, index) => (isOfFork(wire) ? [index + 1] : []))
}

/** The names of the tools that a request offers. */
export function offered(wire: WireRequest): readonly string[] {
  return wire.tools.map(({ name }) => name)
}

/** Everything that the model was shown in a request, as one text. */
export function shown(wire: WireRequest): string {
  return JSON.stringify([wire.system, wire.tools, wire.messages])
}

/** The host's tools that ran, by name, in the order in which they began. */
export function ran(trial: Trial): readonly string[] {
  return trial.runs.map(({ tool }) => tool)
}

/** A refusal as a model is shown it. */
export interface ShownRefusal {
  readonly code: string
  readonly reason: string
  readonly allowedTools?: readonly string[]
}

/** The result of a call is a refusal with that code; gives the refusal. */
export function refusedWith(trial: Trial, callId: string, code: string): ShownRefusal {
  const text = trial.resultOf(callId)
  const refusal = refusalIn(text)
  if (refusal?.code !== code) throw failure(`the result of ${callId} to be a refusal with the code ${code}`, text)
  return refusal
}

/** The refusal that a result is, if it is one. */
export function refusalIn(text: string): ShownRefusal | undefined {
  try {
    return (JSON.parse(text) as { error?: ShownRefusal } | null)?.error
  } catch {
    return undefined
  }
}

/** A turn ended with an answer. */
export function done(turn: { readonly status: string }): void {
  if (turn.status !== 'done') throw failure('the turn to end with an answer', turn)
}
