/** A call of a tool, in a message of the model. */
export interface WindowCall {
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** A message of a framework's, as far as the window is concerned. Adapters translate each message to one. */
export interface WindowMessage {
  /** `tool`: results of calls. System messages are not among them. */
  readonly role: 'user' | 'assistant' | 'tool'
  /** Its text, as the model reads it. */
  readonly text: string
  /** The calls in it. */
  readonly calls?: readonly WindowCall[]
  /** The ids of the calls whose results are in it. */
  readonly answers?: readonly string[]
  /** What is sent beside the text, such as reasoning with its signature: counted, and never part of a summary. */
  readonly hidden?: string
  /** The number of its images and files. */
  readonly files?: number
  /** The session has added it to the person's message before it; a later run may not have it. */
  readonly own?: true
  /** The provider has summarised what stands before it. */
  readonly compaction?: true
}

/** Returns the messages that a model still reads, where its provider may have summarised earlier ones. */
export function stillRead<T>(messages: readonly T[], isCompaction: (message: T) => boolean): readonly T[] {
  const at = messages.findLastIndex(isCompaction)
  return at === -1 ? messages : messages.slice(at)
}
