import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AuditEvent, AuditSink } from '../../audit/events.ts'
import { SkillError, required, text, checkOptions, type OptionTable } from '@repertoire/skill-md/internal'
import { errorCode } from '../folder/open-error.ts'
import { messageOf } from '../../text/message.ts'

/** Options of `jsonLinesAudit`. */
export interface JsonLinesAuditOptions {
  /** The file, created with mode 0600 if it does not exist. Its folder must exist. */
  readonly path: string
}

const LINE_END = 0x0a
// Windows has neither O_NOFOLLOW nor O_NONBLOCK. O_NONBLOCK: opening a pipe would wait for a reader.
const optional = (name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number => (constants as Partial<typeof constants>)[name] ?? 0
const FLAGS =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | optional('O_NOFOLLOW') | optional('O_NONBLOCK')

/** A sink that appends to a file. */
export interface JsonLinesAudit extends AuditSink {
  write(event: AuditEvent): Promise<void>
  /** Waits for pending writes and closes the file. A later event opens it again. */
  close(): Promise<void>
}

const JSON_LINES_OPTIONS: OptionTable<JsonLinesAuditOptions> = {
  path: required(text),
}

/**
 * Appends events to a file, one JSON object per line. Several sinks, also of several processes, may share a file: each
 * line is one write at its end, which local file systems perform in full. A line that a crash or a full disk has cut
 * off is ended before the next one, and `readAudit` reports it. A link is not followed. If the file was moved away, a
 * new one is created, so that log rotation works.
 *
 * A write fails with `SkillError` FOLDER_NOT_WRITABLE.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function jsonLinesAudit(options: JsonLinesAuditOptions): JsonLinesAudit {
  checkOptions('jsonLinesAudit', JSON_LINES_OPTIONS, options, "jsonLinesAudit({ path: 'audit.jsonl' })")
  const path = resolve(options.path)
  // Writes run one after the other, in the order of the calls.
  let last: Promise<unknown> = Promise.resolve()
  let file: FileHandle | undefined

  async function openCurrent(): Promise<FileHandle> {
    if (file !== undefined && !(await isAt(file, path))) await closeFile()
    return (file ??= await openLog(path))
  }

  async function closeFile(): Promise<void> {
    const opened = file
    file = undefined
    await opened?.close()
  }

  async function append(line: string): Promise<void> {
    try {
      const log = await openCurrent()
      const bytes = Buffer.from((await endsMidLine(log)) ? `\n${line}\n` : `${line}\n`)
      // In a single call, since another process's line could otherwise come in between: a short write is not continued.
      const { bytesWritten } = await log.write(bytes)
      if (bytesWritten < bytes.length) throw new Error(`${bytesWritten} of ${bytes.length} bytes were written`)
    } catch (error) {
      await closeFile().catch(() => undefined)
      throw notWritable(path, error)
    }
  }

  function runExclusive(work: () => Promise<void>): Promise<void> {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  return {
    write: (event) => runExclusive(() => append(JSON.stringify(event))),
    close: () => runExclusive(closeFile),
  }
}

async function openLog(path: string): Promise<FileHandle> {
  const log = await open(path, FLAGS, 0o600)
  const stats = await log.stat()
  // A pipe or a socket cannot be read back, and its reader could block every write.
  if (!stats.isFile() && !stats.isCharacterDevice()) {
    await log.close()
    throw new Error('it is not a file')
  }
  return log
}

async function isAt(log: FileHandle, path: string): Promise<boolean> {
  const [opened, there] = await Promise.all([log.stat(), lstat(path).catch(() => undefined)])
  return opened.ino === there?.ino && opened.dev === there.dev
}

/**
 * Whether the last line has no line feed. A line that another process is writing also looks like this, which results in
 * an empty line.
 */
async function endsMidLine(log: FileHandle): Promise<boolean> {
  const stats = await log.stat()
  if (!stats.isFile() || stats.size === 0) return false
  const { buffer } = await log.read(new Uint8Array(1), 0, 1, stats.size - 1)
  return buffer[0] !== LINE_END
}

function notWritable(path: string, error: unknown): SkillError {
  const reason = errorCode(error) || messageOf(error)
  return new SkillError(
    'FOLDER_NOT_WRITABLE',
    `The audit cannot be written to ${path} (${reason}). Give this user the right to write there, make room, or pass another file, which is not a link.`,
    { path, cause: error },
  )
}
