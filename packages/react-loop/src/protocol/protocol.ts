import type { ToolDefinition } from '@repertoire/core'
import type { Message, ModelAnswer, ModelRequest } from '../model.ts'

/** How tools and calls are told to a model, and read from what it says. */
export interface Protocol {
  request(system: string | undefined, messages: readonly Message[], tools: readonly ToolDefinition[]): ModelRequest
  /** The answer with its calls. Those that have no id on the wire get an empty one. */
  read(answer: ModelAnswer): ModelAnswer
  /** Tells, of the text that has been streamed so far, the part that is sure to begin the answer's text. */
  shown(streamed: string): string
}
