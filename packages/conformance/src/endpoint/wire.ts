import type { ToolDefinition } from '@repertoire/core'

/**
 * One request as the model endpoint received it, in the same shape whatever the dialect. Checks look at this and
 * never at `raw`, so that the same check works for native tool calls and plain-text protocols.
 */
export interface WireRequest {
  /** All system and developer messages, joined by an empty line. Empty if the request has no such messages. */
  readonly system: string
  readonly tools: readonly ToolDefinition[]
  /** Everything but the system messages, oldest first. */
  readonly messages: readonly WireMessage[]
  /** The schema that the answer must follow, if the request gives one. */
  readonly output?: unknown
  /** Whether the answer was requested as a stream of events. */
  readonly stream: boolean
  /** The body of the request, as parsed. */
  readonly raw: unknown
}

/** One message of a conversation. */
export interface WireMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** Text parts and refusals joined without anything between them; other parts (images, audio) are left out. */
  readonly text: string
  /**
   * What the model thought before an assistant's message, as the vendor reads it from what was sent back: from its own
   * signature, or from the words where the protocol has no signature. Absent: nothing was sent back.
   */
  readonly reasoning?: string
  /** The files in an assistant's message, if any. */
  readonly files?: readonly ModelFile[]
  /** The calls in an assistant's message, if any. */
  readonly calls?: readonly WireCall[]
  /** The call that a tool's message answers. */
  readonly callId?: string
}

/** A call in the wire format. */
export interface WireCall {
  readonly id: string
  readonly tool: string
  /** JSON as the model wrote it; it need not be valid. */
  readonly arguments: string
}

/** A file that a model makes. */
export interface ModelFile {
  readonly mediaType: string
  /** In base64. */
  readonly data: string
}
