import { resolve } from 'node:path'
import type { AuditEvent, AuditSink } from '../../audit/events.ts'
import { flag, number, required, text, withDefault } from '../../options/kinds.ts'
import { checkOptions, type OptionTable } from '../../options/table.ts'
import { type LogFile, openLogFile, type JsonLinesAuditOptions } from './log-file.ts'

/** A sink that appends to a file. */
export interface JsonLinesAudit extends AuditSink {
  write(event: AuditEvent): Promise<void>
  /** Waits for pending writes and closes the file. A later event opens it again. */
  close(): Promise<void>
}

const JSON_LINES_OPTIONS: OptionTable<JsonLinesAuditOptions> = {
  path: required(text),
  fsync: withDefault(false, flag),
  rotateAt: number('bytes', { above: 0, isUnlimited: true }),
}

/**
 * Appends events to a file, one JSON object per line. Several sinks, also of several processes, may share a file: each
 * line is one write at its end, which local file systems perform in full. A line that a crash or a full disk has cut off
 * is ended before the next one, and `readAudit` reports it. A link is not followed. If the file was moved away, a new one
 * is created, so that log rotation works.
 *
 * A write fails with `SkillError` FOLDER_NOT_WRITABLE.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function jsonLinesAudit(options: JsonLinesAuditOptions): JsonLinesAudit {
  checkOptions('jsonLinesAudit', JSON_LINES_OPTIONS, options, "jsonLinesAudit({ path: 'audit.jsonl' })")
  const { fsync = false, rotateAt = Infinity } = options
  const path = resolve(options.path)
  let log: LogFile | undefined
  // Writes run one after the other, in the order of the calls.
  let last: Promise<unknown> = Promise.resolve()
  const runExclusive = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function append(line: string): Promise<void> {
    log ??= openLogFile({ path, fsync, rotateAt })
    await log.append(line)
  }

  return {
    write: (event) => runExclusive(() => append(JSON.stringify(event))),
    close: () => runExclusive(async () => log?.close()),
  }
}
