import type { EncodedMessage, ScriptedMessage } from './dialect.ts'
import type { Fields } from './fields.ts'
import { piecesOf } from './pieces.ts'

/** An answer as it is put on the wire. */
export interface WrittenAnswer {
  readonly contentType: string
  /** The body up to its end, one part for each event of a stream. */
  readonly parts: readonly string[]
  /** What tells a client that the answer is complete. */
  readonly end: readonly string[]
}

/** Returns an answer in one piece. */
export function inJson(whole: unknown): WrittenAnswer {
  const parts = piecesOf(JSON.stringify(whole))
  return { contentType: 'application/json', parts: parts.slice(0, -1), end: parts.slice(-1) }
}

/**
 * Returns an answer as server-sent events, which are named if they have a type.
 * @param lineEnd as the vendor ends its lines
 */
export function inEvents(events: readonly Fields[], end: readonly Fields[], lineEnd = '\n'): WrittenAnswer {
  const write = (event: Fields): string => {
    const name = typeof event.type === 'string' ? `event: ${event.type}${lineEnd}` : ''
    return `${name}data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`
  }
  return { contentType: 'text/event-stream; charset=utf-8', parts: events.map(write), end: end.map(write) }
}

/** Returns a message of the script as protocols with native calls carry it. */
export function encodeMessage({ text, calls, reasoning }: ScriptedMessage): EncodedMessage {
  return {
    content: text ?? (calls.length > 0 ? null : ''),
    ...(calls.length > 0 && { toolCalls: calls }),
    ...(reasoning !== undefined && { reasoning }),
  }
}
