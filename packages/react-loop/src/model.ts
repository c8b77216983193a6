import type { ToolCall, ToolDefinition } from '@repertoire/core'

/**
 * The port to a model: messages, tools and calls are plain values, independent of the wire format. `openAICompatible`
 * implements it. An implementation only translates; it never runs a tool.
 */
export interface Model {
  /** The vendor's name of the model, for the audit. Absent: it is not recorded. */
  readonly name?: string
  /**
   * Makes a model call.
   * @throws the error of the endpoint's client, unchanged; any error if the signal aborts
   */
  complete(request: ModelRequest, options: ModelCallOptions): Promise<ModelAnswer>
  /**
   * The same call as a stream: the text in pieces, then the answer that `complete` would have returned. A stream that
   * ends early throws: an incomplete answer is not used.
   */
  stream(request: ModelRequest, options: ModelCallOptions): AsyncIterable<ModelPart>
}

/** A request to a model. */
export interface ModelRequest {
  /** The system prompt. Absent: none. */
  readonly system?: string
  readonly messages: readonly Message[]
  /** The tools that the model is offered. Empty: none. */
  readonly tools: readonly ToolDefinition[]
  /** Stop sequences. */
  readonly stop?: readonly string[]
}

export interface ModelCallOptions {
  readonly signal?: AbortSignal | undefined
}

/** The answer of a model. */
export interface ModelAnswer {
  /** The text of the answer; empty if it only calls tools. */
  readonly text: string
  /**
   * The calls, in the model's order. `input` is the parsed JSON; arguments that are not valid JSON remain the string
   * that the model wrote, which core refuses with an explanation for the model.
   */
  readonly calls: readonly ToolCall[]
  readonly finishReason: FinishReason
  /** The tokens of the call. Absent: the endpoint did not count. */
  readonly usage?: Usage
  /** What the vendor needs sent back. Absent: only text and calls. */
  readonly provider?: ProviderPart
}

/** A piece of a streamed answer. */
export type ModelPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'answer'; readonly answer: ModelAnswer }

/**
 * Why a model stopped. `stop`: it has finished, or waits for its tools. `length`: the answer is cut off. `refusal`: the
 * model or its vendor declined; the text explains it if possible, and there are no calls. `other`: another reason of
 * the endpoint's.
 */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'refusal' | 'other'

/** In tokens. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A message of a conversation. A JSON value: conversations can be stored and continued. */
export type Message = UserMessage | AssistantMessage | ToolMessage

export interface UserMessage {
  readonly role: 'user'
  readonly content: string
  /** `skills`: what the session adds to the message before it. Absent: a person's. Model clients leave it out. */
  readonly from?: 'skills'
}

/** A message of the model. */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: string
  /** The calls that the model asks for; every id is unique in a conversation. Absent: none. */
  readonly calls?: readonly ToolCall[]
  /** Stored unchanged, and sent back only by a client of the same vendor. */
  readonly provider?: ProviderPart
}

/**
 * A message in its vendor's format, if it contains more than text and calls: signed thinking, for example, which some
 * vendors need sent back. Opaque to everything but that vendor's client, and only an addition: the message's text and
 * calls take precedence, and a part that no longer matches them is left out. A JSON value.
 */
export interface ProviderPart {
  readonly vendor: string
  readonly content: readonly unknown[]
}

/** The result of one call, as shown to the model. The results of a message follow it in the order of its calls. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly callId: string
  readonly tool: string
  readonly content: string
  /** Whether the call was refused, or the tool threw. */
  readonly isError: boolean
}
