import type { Protocol } from './protocol.ts'

/** Tool calls of the wire's own. */
export const nativeProtocol: Protocol = {
  request: (system, messages, tools) => ({ ...(system !== undefined && { system }), messages, tools }),
  read: (answer) => answer,
  shown: (streamed) => streamed,
}
