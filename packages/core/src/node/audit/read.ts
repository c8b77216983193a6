import { callable, checkOptions, isObject, type OptionTable } from '@repertoire/skill-md/internal'
import { type FileHandle, open } from 'node:fs/promises'
import type { AuditEvent } from '../../audit/events.ts'

/** Text of an audit file that is no event: a line was cut off, or does not come from an audit. */
export interface TornLine {
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** At most 1,000 characters. */
  readonly text: string
}

/** Options of `readAudit`. */
export interface ReadAuditOptions {
  /** Is called with each text that is no event, in its place between the events. Default: it is skipped. */
  readonly onTorn?: ((torn: TornLine) => void) | undefined
}

const READ_AUDIT_OPTIONS: OptionTable<ReadAuditOptions> = { onTorn: callable }

/** Events are far shorter. */
const MAX_LINE_BYTES = 8 * 1024 * 1024

const MAX_TORN_CHARS = 1_000

/**
 * Reads the events of an audit file from its beginning, even while it is being written.
 * @throws the system's error if the file cannot be read
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function readAudit(path: string, options: ReadAuditOptions = {}): AsyncGenerator<AuditEvent, void, undefined> {
  checkOptions('readAudit', READ_AUDIT_OPTIONS, options)
  return eventsOf(path, options)
}

async function* eventsOf(path: string, { onTorn }: ReadAuditOptions): AsyncGenerator<AuditEvent, void, undefined> {
  const file = await open(path)
  try {
    let line = 0
    for await (const text of linesOf(file)) {
      line++
      if (text === '') continue
      const event = eventIn(text)
      if (event === undefined) onTorn?.({ path, line, text: text.slice(0, MAX_TORN_CHARS) })
      else yield event
    }
  } finally {
    await file.close()
  }
}

/** Returns the event that a line holds; undefined for a torn one, and for other JSON. */
function eventIn(line: string): AuditEvent | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) && value['version'] === 1 && typeof value['type'] === 'string'
      ? (value as unknown as AuditEvent)
      : undefined
  } catch {
    return undefined
  }
}

/** The lines, without their line feeds. A line that is too long is cut. */
async function* linesOf(file: FileHandle): AsyncGenerator<string, void, undefined> {
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
  for await (const chunk of file.createReadStream({ autoClose: false }) as AsyncIterable<Uint8Array>) {
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
