import type { Answer, AnswerEnd, ScriptedMessage } from './dialect.ts'
import { isObject, oneOf } from './fields.ts'
import type { WireRequest } from './wire.ts'

/** What the model does for one request. A request that a framework repeats counts like any other. */
export type ScriptStep =
  | SayStep
  | CallStep
  | ErrorStep
  | HoldStep
  /** Decides depending on the request. `left` is aborted when the client closes the connection. */
  | ((request: WireRequest, left: AbortSignal) => ScriptStep)

/** The model answers in words, which ends the turn. */
export interface SayStep extends Answer {
  readonly text: string
}

/** The model calls tools, with or without text. */
export interface CallStep extends Answer {
  readonly calls: readonly ScriptedCall[]
  readonly text?: string
}

/** The endpoint answers with an HTTP error in the vendor's shape. */
export interface ErrorStep {
  /** 400–599. Most SDKs repeat a request after 408, 409, 429 and 5xx, and the repetition gets the next step. */
  readonly status: number
  readonly message: string
}

/** The endpoint answers nothing until the promise resolves, and then does `next`. */
export interface HoldStep {
  readonly hold: Promise<void>
  readonly next: ScriptStep
}

/** A call that the model asks for. */
export interface ScriptedCall {
  /**
   * The id of the call. Default `call_<step>_<n>`, both counted from 1: the second call of the first step is
   * `call_1_2`. A script that continues another one also continues its count.
   */
  readonly id?: string
  readonly tool: string
  /** Sent as JSON. `{ raw }` without other fields is sent unchanged, for arguments that are not valid JSON. */
  readonly input: unknown
}

/**
 * Waits for holds and calls functions until an answer or an error is left, and returns it.
 * @param number of the step in the whole conversation, from 1, for the default ids
 * @param left aborted when the client closes the connection
 * @param waiting called when a hold begins, and when it ends
 * @throws {TypeError} if the step has no known shape
 */
export async function resolveStep(
  step: ScriptStep,
  number: number,
  request: WireRequest,
  left: AbortSignal,
  waiting: (held: boolean) => void,
): Promise<ErrorStep | ScriptedMessage> {
  if (typeof step === 'function') return resolveStep(step(request, left), number, request, left, waiting)
  if (!('hold' in step)) return 'status' in step ? checkError(step) : messageOf(step, number)
  waiting(true)
  try {
    await step.hold
  } finally {
    waiting(false)
  }
  return resolveStep(step.next, number, request, left, waiting)
}

function checkError(step: ErrorStep): ErrorStep {
  if (Number.isInteger(step.status) && step.status >= 400 && step.status <= 599) return step
  throw new TypeError(`The step has the status ${step.status}. Give an HTTP error, 400 to 599.`)
}

const ENDS: readonly AnswerEnd[] = ['length', 'refusal', 'early', 'cut', 'unsent']

function messageOf(step: SayStep | CallStep, number: number): ScriptedMessage {
  const { text, calls = [], end, ...more }: Answer & Partial<CallStep> = step
  if (text === undefined && calls.length === 0) {
    throw new TypeError('The step says nothing. Give it "text", "calls", "status" or "hold".')
  }
  if (end !== undefined) oneOf(ENDS, end, 'The step\'s "end"')
  return {
    ...more,
    ...(text !== undefined && { text }),
    ...(end !== undefined && { end }),
    calls: calls.map(({ id, tool, input }, index) => ({
      id: id ?? `call_${number}_${index + 1}`,
      tool,
      arguments: argumentsText(input),
    })),
  }
}

function argumentsText(input: unknown): string {
  if (isObject(input) && Object.keys(input).length === 1 && typeof input.raw === 'string') return input.raw
  const text = JSON.stringify(input)
  if (text !== undefined) return text
  throw new TypeError('The step has an input that JSON cannot represent. Use { raw: "…" } for bad arguments.')
}
