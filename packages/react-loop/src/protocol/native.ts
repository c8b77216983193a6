import type { Protocol } from './protocol.ts'

/** The tool calls of the API itself. */
export const nativeProtocol: Protocol = {
  request: (system, messages, tools) => ({ ...(system !== undefined && { system }), messages, tools }),
  read: (answer) => answer,
  shown: (streamed) => streamed,
}
