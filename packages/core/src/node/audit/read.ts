import { createReadStream } from 'node:fs'
import type { AuditEvent } from '../../audit/events.ts'

/** A line of an audit file. */
export type AuditLine =
  | {
      /** 1-based. */
      readonly line: number
      readonly event: AuditEvent
    }
  | {
      readonly line: number
      /** The text there is instead of an event, at most 1,000 characters: a line was cut off, or does not come from an audit. */
      readonly torn: string
    }

/** Events are far shorter. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

/** How much of a torn line is returned. */
const MAX_TORN_CHARS = 1_000

/** The beginning of every line. Inside the texts of an event, its quotes would be escaped. */
const EVENT_START = '{"version":1,"type":"'

/**
 * Reads an audit file from its beginning, line by line, even while it is being written. A torn line is returned as such,
 * and so is an event that follows it in the same line. Empty lines are skipped.
 * @throws the system's error if the file cannot be read
 */
export async function* readAudit(path: string): AsyncGenerator<AuditLine, void, undefined> {
  let line = 0
  for await (const text of linesOf(path)) {
    line++
    if (text === '') continue
    yield* entriesOf(text, line)
  }
}

function* entriesOf(text: string, line: number): Generator<AuditLine, void, undefined> {
  for (let at = text.indexOf(EVENT_START); at >= 0; at = text.indexOf(EVENT_START, at + 1)) {
    const event = parseEvent(text.slice(at))
    if (event === undefined) continue
    if (at > 0) yield { line, torn: text.slice(0, Math.min(at, MAX_TORN_CHARS)) }
    yield { line, event }
    return
  }
  yield { line, torn: text.slice(0, MAX_TORN_CHARS) }
}

function parseEvent(text: string): AuditEvent | undefined {
  try {
    return JSON.parse(text) as AuditEvent
  } catch {
    return undefined
  }
}

/** The lines, without their line feeds. A line that is too long is cut. */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let parts: Uint8Array[] = []
  let length = 0
  const append = (bytes: Uint8Array): void => {
    if (length < MAX_LINE_BYTES) parts.push(bytes)
    length += bytes.length
  }
  const endLine = (): string => {
    const text = decoder.decode(Buffer.concat(parts).subarray(0, MAX_LINE_BYTES))
    parts = []
    length = 0
    return text
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      append(chunk.subarray(from, end))
      yield endLine()
      from = end + 1
    }
    append(chunk.subarray(from))
  }
  if (length > 0) yield endLine()
}
