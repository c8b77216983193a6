import type { Reasoning, ScriptedMessage } from './dialect.ts'
import type { ModelFile } from './files.ts'
import type { WireRequest } from './wire.ts'

/** What the model does for one request. A request that a framework repeats counts like any other. */
export type ScriptStep =
  | SayStep
  | CallStep
  | ErrorStep
  | DropStep
  | HoldStep
  /** Decides depending on the request. `left` is aborted when the client closes the connection. */
  | ((request: WireRequest, left: AbortSignal) => ScriptStep)

/** The model answers in words, which ends the turn. */
export interface SayStep {
  readonly text: string
  /** What the model thinks first, and must be sent back with the message. Default: nothing. */
  readonly reasoning?: Reasoning
  /** What the model makes. Only Gemini's models send files; the other protocols leave them out. Default: none. */
  readonly files?: readonly ModelFile[]
}

/** The model calls tools, with or without text. */
export interface CallStep {
  readonly calls: readonly ScriptedCall[]
  readonly text?: string
  /** What the model thinks first, and must be sent back with the message. Default: nothing. */
  readonly reasoning?: Reasoning
  /** What the model makes. Only Gemini's models send files; the other protocols leave them out. Default: none. */
  readonly files?: readonly ModelFile[]
}

/** The endpoint answers with an HTTP error in OpenAI's shape. */
interface ErrorStep {
  /** 400–599. Most SDKs repeat a request after 408, 409, 429 and 5xx, and the repetition gets the next step. */
  readonly status: number
  readonly message: string
}

/** The connection is cut: before anything was sent, or when about half of an answer was. */
export interface DropStep {
  readonly drop: 'before-headers' | 'mid-stream'
}

/** The endpoint answers nothing until the promise resolves, and then does `next`. */
export interface HoldStep {
  readonly hold: Promise<void>
  readonly next: ScriptStep
}

/** A call that the model asks for. */
export interface ScriptedCall {
  /**
   * The id of the call. Default `call_<step>_<n>`, both counted from 1: the second call of the first step is `call_1_2`. A
   * script that continues another one also continues its count.
   */
  readonly id?: string
  readonly tool: string
  /** Sent as JSON. `{ raw }` without other fields is sent unchanged, for arguments that are not valid JSON. */
  readonly input: unknown
}

/** A step whose holds and functions have been resolved. */
export type PlainStep = ErrorStep | DropStep | { readonly say: ScriptedMessage }

/** The position of a step. */
export interface StepPlace {
  /** In its own script, from 1. */
  readonly number: number
  /** In the whole conversation, from 1, for the default ids. */
  readonly numberInConversation: number
}

/**
 * Waits for holds and calls functions until a plain step is left, and returns that step.
 * @param left aborted when the client closes the connection
 * @param waiting called when a hold begins, and when it ends
 * @throws {TypeError} if the step has no known shape
 */
export async function resolveStep(
  step: ScriptStep,
  place: StepPlace,
  request: WireRequest,
  left: AbortSignal,
  waiting: (held: boolean) => void,
): Promise<PlainStep> {
  let current = step
  for (;;) {
    if (typeof current === 'function') current = current(request, left)
    else if ('hold' in current) {
      waiting(true)
      try {
        // Holds may be nested
        await current.hold
      } finally {
        waiting(false)
      }
      current = current.next
    } else return toPlainStep(current, place)
  }
}

function toPlainStep(
  step: SayStep | CallStep | ErrorStep | DropStep,
  { number, numberInConversation }: StepPlace,
): PlainStep {
  if ('status' in step) {
    if (Number.isInteger(step.status) && step.status >= 400 && step.status <= 599) return step
    throw new TypeError(`The script's step ${number} has the status ${step.status}. Give an HTTP error, 400 to 599.`)
  }
  if ('drop' in step) {
    if (step.drop === 'before-headers' || step.drop === 'mid-stream') return step
    throw new TypeError(
      `The script's step ${number} drops "${String(step.drop)}". Say "before-headers" or "mid-stream".`,
    )
  }
  const { reasoning, files } = step
  const more = { ...(reasoning !== undefined && { reasoning }), ...(files !== undefined && { files }) }
  if ('calls' in step && step.calls.length > 0) {
    const calls = step.calls.map((call, index) => ({
      id: call.id ?? `call_${numberInConversation}_${index + 1}`,
      tool: call.tool,
      arguments: argumentsText(call.input, number),
    }))
    return { say: { ...(step.text !== undefined && { text: step.text }), calls, ...more } }
  }
  if (typeof step.text === 'string') return { say: { text: step.text, calls: [], ...more } }
  throw new TypeError(`The script's step ${number} says nothing. Give it "text", "calls", "status", "drop" or "hold".`)
}

function argumentsText(input: unknown, number: number): string {
  if (isRaw(input)) return input.raw
  const text = JSON.stringify(input)
  if (text !== undefined) return text
  throw new TypeError(
    `The script's step ${number} has an input that JSON cannot represent. Use { raw: '…' } for bad arguments.`,
  )
}

function isRaw(input: unknown): input is { readonly raw: string } {
  return (
    typeof input === 'object' &&
    input !== null &&
    Object.keys(input).length === 1 &&
    'raw' in input &&
    typeof input.raw === 'string'
  )
}
