import type { ToolDefinition } from '@repertoire/core'
import type { Message, ModelAnswer, ModelRequest } from '../model.ts'

/** How tools and calls are described to a model, and read from its messages. */
export interface Protocol {
  request(system: string | undefined, messages: readonly Message[], tools: readonly ToolDefinition[]): ModelRequest
  /** Reads the calls from an answer. Calls without an id get an empty one. */
  read(answer: ModelAnswer): ModelAnswer
  /** Returns the part of the streamed text that certainly belongs to the answer's text. */
  shown(streamed: string): string
}

/** The tool calls of the API itself. */
export const nativeProtocol: Protocol = {
  request: (system, messages, tools) => ({ system, messages, tools }),
  read: (answer) => answer,
  shown: (streamed) => streamed,
}
