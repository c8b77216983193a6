/** What came of a long conversation in one adapter. Tokens are counted as the model endpoint reports them. */
export interface LongRecord {
  readonly adapter: string
  /** Model calls of the conversation itself. */
  readonly steps: number
  /** Model calls for summaries. */
  readonly summaries: number
  /** The largest request of the conversation. */
  readonly largest: number
  /** What the last request would have been with all that was said. */
  readonly unsummarized: number
  /** Requests behind the activation that show the skill's instructions other than once. */
  readonly withoutInstructions: number
  readonly answer?: string
  readonly failure?: string
}

/** The result of the long conversation. */
export interface LongResult {
  readonly task: string
  /** The model's context window, in tokens. */
  readonly window: number
  readonly adapters: readonly LongRecord[]
  /** Whether every adapter came to its end within the window, with its skill. */
  readonly held: boolean
}
