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
      /** What stands there instead of an event, at most 1,000 characters: a line that was torn, or is none of ours. */
      readonly torn: string
    }

/** Bytes of a line at the most: events are far shorter. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

/** Characters of a torn line that are told. */
const MAX_TOLD = 1_000

/** What every line begins with. Inside of a line's texts, the quotes of it are escaped. */
const BEGIN = '{"version":1,"type":"'

/**
 * Reads an audit file from its beginning, line by line, also while it is written. A torn line is told, and so is an
 * event that stands behind one in the same line. Empty lines are passed over.
 * @throws the system's error where the file cannot be read
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
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + 1)) {
    const event = eventIn(text.slice(at))
    if (event === undefined) continue
    if (at > 0) yield { line, torn: text.slice(0, Math.min(at, MAX_TOLD)) }
    yield { line, event }
    return
  }
  yield { line, torn: text.slice(0, MAX_TOLD) }
}

function eventIn(text: string): AuditEvent | undefined {
  try {
    return JSON.parse(text) as AuditEvent
  } catch {
    return undefined
  }
}

/** The lines, without their ends. Only a line feed ends one; what is too long for a line is cut. */
async function* linesOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let parts: Uint8Array[] = []
  let length = 0
  const take = (bytes: Uint8Array): void => {
    if (length < MAX_LINE_BYTES) parts.push(bytes)
    length += bytes.length
  }
  const line = (): string => {
    const text = decoder.decode(Buffer.concat(parts).subarray(0, MAX_LINE_BYTES))
    parts = []
    length = 0
    return text
  }
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      take(chunk.subarray(from, end))
      yield line()
      from = end + 1
    }
    take(chunk.subarray(from))
  }
  if (length > 0) yield line()
}
