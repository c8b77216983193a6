import type { ModelFile } from './files.ts'
import type { WireCall, WireRequest } from './wire.ts'

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
   * ids on the
   * wire finds them here
   * @throws {Error} if the body is malformed, saying what is wrong: the request is then answered with 400
   */
  decode(body: unknown, sent: readonly SentMessage[]): Omit<WireRequest, 'raw'>
  /** Writes a message of the model. */
  encode(message: ScriptedMessage): EncodedMessage
}

/** A message of the script: text, calls, or both. */
export interface ScriptedMessage {
  readonly text?: string
  readonly calls: readonly WireCall[]
  /** What the model thinks before it says this. A dialect may leave it out. */
  readonly reasoning?: Reasoning
  /** The files that the model makes, such as images. A protocol whose models make none leaves them out. */
  readonly files?: readonly ModelFile[]
}

/** What a model thinks before it answers. */
export interface Reasoning {
  readonly text: string
  /** Whether the vendor withholds the words. Where a protocol cannot do that, they are sent like any others. */
  readonly hidden?: boolean
}

/** An assistant's message in the wire format. */
export interface EncodedMessage {
  readonly content: string | null
  /** The native calls that the message asks for. Absent or empty: none, and it finishes with `stop`. */
  readonly toolCalls?: readonly WireCall[]
  /** The reasoning that the message carries. Absent: none. */
  readonly reasoning?: Reasoning
  /** The files that the message carries. Absent: none. */
  readonly files?: readonly ModelFile[]
}

/** A message that was sent, with the scripted message. */
export interface SentMessage {
  readonly scripted: ScriptedMessage
  readonly encoded: EncodedMessage
}
