import type { ModelFile, WireCall, WireRequest } from './wire.ts'

/**
 * How tools, calls and results are written inside chat-completions messages. `nativeTools` is OpenAI's own way; an
 * adapter that speaks a plain-text protocol uses another, as the `dialect` of a variant.
 */
export interface Dialect {
  /** Its name in messages about malformed requests. */
  readonly name: string
  /**
   * Reads the body of a request.
   * @param sent the messages that the model has sent in this conversation, oldest first: a protocol that has no call
   * ids on the wire finds them here
   * @throws {Error} if the body is malformed, saying what is wrong: the request is then answered with 400
   */
  decode(body: unknown, sent: readonly SentMessage[]): Omit<WireRequest, 'raw'>
  /** Writes a message of the model. */
  encode(message: ScriptedMessage): EncodedMessage
}

/**
 * How an answer ends, if not as usual. In the words of the vendors:
 *
 * - `length`: at the limit of tokens (`length`, `incomplete`, `max_tokens`, `MAX_TOKENS`)
 * - `refusal`: the model refuses with the text of the step (a `refusal`, for Anthropic and Gemini as the reason of the
 *   end: `refusal`, `SAFETY`)
 * - `early`: the body ends as usual, but without what says that it is complete: the last events, or the end of the JSON
 * - `cut`: the connection is cut when about half of the answer is sent
 * - `unsent`: the connection is cut before anything is sent
 */
export type AnswerEnd = 'length' | 'refusal' | 'early' | 'cut' | 'unsent'

/** What an answer may have beside text and calls. */
export interface Answer {
  /** What the model thinks first, and must be sent back with the message. Default: nothing. */
  readonly reasoning?: Reasoning
  /** What the model makes. Only Gemini's models send files; the other protocols leave them out. Default: none. */
  readonly files?: readonly ModelFile[]
  /** How the answer ends. Default: as usual. The endpoint sees to it, and no dialect need. */
  readonly end?: AnswerEnd
  /** The model that the answer says it is from. Default: the one asked for. The endpoint sees to it, too. */
  readonly model?: string
}

/** A message of the script: text, calls, or both. */
export interface ScriptedMessage extends Answer {
  readonly text?: string
  readonly calls: readonly WireCall[]
}

/** What a model thinks before it answers. */
export interface Reasoning {
  readonly text: string
  /** Whether the vendor withholds the words. Where a protocol cannot do that, they are sent like any others. */
  readonly hidden?: boolean
}

/** An assistant's message in the wire format. */
export interface EncodedMessage extends Answer {
  readonly content: string | null
  /** The native calls that the message asks for. Absent or empty: none, and it finishes with `stop`. */
  readonly toolCalls?: readonly WireCall[]
}

/** A message that was sent, with the scripted message. */
export interface SentMessage {
  readonly scripted: ScriptedMessage
  readonly encoded: EncodedMessage
}
