import type { ToolCall, ToolDefinition } from '@repertoire/core'

/**
 * The port to a model, of any vendor: messages, tools and calls are plain values that say nothing of the wire.
 * `openAICompatible`, `anthropic` and `gemini` are implementations. An implementation only translates; it never runs a
 * tool.
 */
export interface Model {
  /** As the vendor names it, for the audit. Absent: it is not on record. */
  readonly name?: string
  /**
   * One model call.
   * @throws what the endpoint's client throws, as it is; where the signal aborts, anything
   */
  complete(request: ModelRequest, options: ModelCallOptions): Promise<ModelAnswer>
  /**
   * The same call as a stream: its text in pieces, and last the answer, which is the one that `complete` would have
   * given. A stream that ends early throws: half an answer is none.
   */
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelPart>
}

/** What a model is asked. */
export interface ModelRequest {
  /** Absent: no system prompt. */
  readonly system?: string
  readonly messages: readonly Message[]
  /** Empty: the model is offered no tools. */
  readonly tools: readonly ToolDefinition[]
  /** Texts before which the model is to stop. */
  readonly stop?: readonly string[]
}

export interface ModelCallOptions {
  readonly signal?: AbortSignal | undefined
}

/** What a model answered. */
export interface ModelAnswer {
  /** The answer in words; empty where it only calls tools. */
  readonly text: string
  /**
   * The calls, in the model's order. The `input` is the parsed JSON; arguments that are not valid JSON stand there as
   * the string that the model wrote, which core refuses in words that the model understands.
   */
  readonly calls: readonly ToolCall[]
  readonly finishReason: FinishReason
  /** Absent: the endpoint did not count. */
  readonly usage?: Usage
  /** Absent: text and calls are all that the vendor wants back. */
  readonly provider?: ProviderPart
}

/** A piece of a streamed answer. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'answer'; readonly answer: ModelAnswer }

/**
 * Why a model stopped. `stop`: it was done, or waits for its tools. `length`: the answer is cut off. `refusal`: the
 * model or its vendor declines; the text says what is known of it, and there are no calls. `other`: a word of the
 * endpoint's own.
 */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'refusal' | 'other'

/** In tokens. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** One message of a conversation. A JSON value: conversations can be stored and taken up again. */
export type Message = UserMessage | AssistantMessage | ToolMessage

export interface UserMessage {
  readonly role: 'user'
  readonly content: string
  /** `skills`: what the session adds to the message before it. Absent: a person's. Model clients leave it out. */
  readonly from?: 'skills'
}

/** What the model said. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  /** Absent: it asked for no tool. Every id is used once in a conversation. */
  readonly calls?: readonly ToolCall[]
  /** Kept as the model's client gave it, and sent back by a client of the same vendor alone. */
  readonly provider?: ProviderPart
}

/**
 * A message as its vendor worded it, where it holds more than text and calls: signed thinking, which some vendors demand
 * back. Opaque to everybody but the client that gave it, and never more than an addition: text and calls of the message
 * count, and a part that no longer fits them is left out. A JSON value.
 */
export interface ProviderPart {
  readonly vendor: string
  readonly content: readonly unknown[]
}

/** The result of one call, as the model is shown it. Those of one message follow it in the order of its calls. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly tool: string
  readonly content: string
  /** Whether the call was refused, or the tool threw. */
  readonly isError: boolean
}
