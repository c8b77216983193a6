/** A message of a conversation, as it is summarised. */
export interface SummarizedMessage {
  /** `tool`: the result of a call. */
  readonly role: 'user' | 'assistant' | 'tool'
  /** What was written, with the calls as JSON. A very long text is cut in its middle. */
  readonly text: string
}

/** The older part of a conversation, which is to be replaced by a summary. */
export interface SummaryRequest {
  /** Oldest first. */
  readonly messages: readonly SummarizedMessage[]
  /** The summary of what came before them. Absent: they are the beginning. */
  readonly previous?: string
  /** What a model is to do, for its system prompt. */
  readonly instructions: string
  /** All of it as one text for a model: escaped and enclosed, so that nothing in it passes for an instruction. */
  readonly prompt: string
}

/** What a summary is asked for with. */
export interface SummaryOptions {
  readonly signal: AbortSignal
  /** How long it may be. One of more than twice as much is not used. */
  readonly maxTokens: number
}

/** A summary, with the tokens that it took, for the audit. */
export interface Summary {
  readonly text: string
  readonly usage?: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined }
}

/**
 * Summarises the older part of a conversation. Where it throws, takes too long, or returns nothing or more than it was
 * given, an extract of the messages is used in its place, and that is reported.
 */
export type Summarizer = (
  request: SummaryRequest,
  options: SummaryOptions,
) => Promise<Summary | string> | Summary | string
