import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { AuditEvent, AuditSink } from '../../audit/events.ts'
import { SkillError } from '../../errors.ts'
import { errorCode } from '../folder/open-failure.ts'

/** Options of `jsonLinesAudit`. */
export interface JsonLinesAuditOptions {
  /** The file, made with mode 0600 if it is not there. Its folder must be. */
  readonly path: string
  /**
   * Whether an event counts as written only when the disk has it, so that a power cut loses none. Default false: when
   * the system has it, which a crash of the program does not take away.
   */
  readonly fsync?: boolean
  /**
   * Size in bytes, more than 0, from which on the file is put aside as `<path>.<time>-<random>` and a new one begun.
   * None is ever deleted. Default: one file.
   */
  readonly rotateAt?: number
}

/** A sink that appends to a file. */
export interface JsonLinesAudit extends AuditSink {
  write(event: AuditEvent): Promise<void>
  /** Waits for what is being written, and lets go of the file; an event after it opens it again. */
  close(): Promise<void>
}

const LINE_END = 0x0a
// Windows knows neither of the last two. O_NONBLOCK: a pipe would wait for a reader.
const optional = (name: 'O_NOFOLLOW' | 'O_NONBLOCK'): number => (constants as Partial<typeof constants>)[name] ?? 0
const FLAGS =
  constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | optional('O_NOFOLLOW') | optional('O_NONBLOCK')

/**
 * Appends events to a file, one JSON object to a line. Several sinks, of several processes too, may share a file: each
 * line is one write at its end, which local file systems carry out whole. A line that a crash or a full disk has torn is
 * ended before the next one, and `readAudit` tells of it. A link is not followed. A file that was moved away is begun
 * anew, so that what rotates logs can.
 *
 * A write fails with `SkillError` FOLDER_NOT_WRITABLE.
 */
export function jsonLinesAudit({
  path: given,
  fsync = false,
  rotateAt = Infinity,
}: JsonLinesAuditOptions): JsonLinesAudit {
  if (typeof given !== 'string' || given === '')
    throw new TypeError('`path` of jsonLinesAudit is not a path of a file.')
  if (!(rotateAt > 0)) throw new TypeError(`\`rotateAt\` of jsonLinesAudit is ${rotateAt}. Give bytes, more than 0.`)
  const path = resolve(given)
  let file: FileHandle | undefined
  // One after the other, in the order in which they came.
  let last: Promise<unknown> = Promise.resolve()
  const runExclusive = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function current(): Promise<FileHandle> {
    if (file !== undefined && !(await isAt(file, path))) await letGo()
    file ??= await openLog(path, fsync)
    if ((await file.stat()).size < rotateAt) return file
    // Another process may put it aside in this very moment, and this one then what that has begun: a short file. Every
    // name is used once, so nothing is lost.
    if (await isAt(file, path)) await rename(path, asideName()).catch(unlessGone)
    await letGo()
    file = await openLog(path, fsync)
    return file
  }

  function asideName(): string {
    return `${path}.${new Date().toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}`
  }

  async function letGo(): Promise<void> {
    const old = file
    file = undefined
    await old?.close()
  }

  async function append(line: string): Promise<void> {
    try {
      const log = await current()
      const bytes = Buffer.from((await endsTorn(log)) ? `\n${line}\n` : `${line}\n`)
      // In one call, or another process's line could come between: no loop over what is left of it.
      const { bytesWritten } = await log.write(bytes)
      if (bytesWritten < bytes.length) throw new Error(`${bytesWritten} of ${bytes.length} bytes were written`)
      if (fsync) await log.sync()
    } catch (error) {
      await letGo().catch(() => undefined)
      throw notWritable(path, error)
    }
  }

  return {
    write: (event) => runExclusive(() => append(JSON.stringify(event))),
    close: () => runExclusive(letGo),
  }
}

async function openLog(path: string, fsync: boolean): Promise<FileHandle> {
  const log = await open(path, FLAGS, 0o600)
  const stats = await log.stat()
  // A pipe or a socket has nothing to read, and whoever reads it can make every write wait.
  if (!stats.isFile() && !stats.isCharacterDevice()) {
    await log.close()
    throw new Error('it is not a file')
  }
  if (fsync && stats.size === 0 && stats.isFile()) await syncFolder(dirname(path))
  return log
}

/** The name of a new file must reach the disk as its content does. Windows has no such thing. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY).catch(() => undefined)
  try {
    await folder?.sync().catch(() => undefined)
  } finally {
    await folder?.close()
  }
}

function unlessGone(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error
}

async function isAt(log: FileHandle, path: string): Promise<boolean> {
  const [opened, there] = await Promise.all([log.stat(), lstat(path).catch(() => undefined)])
  return there !== undefined && opened.ino === there.ino && opened.dev === there.dev
}

/** Whether the last line has no end. One that another process is writing just now seems so too: then an empty line is. */
async function endsTorn(log: FileHandle): Promise<boolean> {
  const stats = await log.stat()
  if (!stats.isFile() || stats.size === 0) return false
  const { bytesRead, buffer } = await log.read(new Uint8Array(1), 0, 1, stats.size - 1)
  return bytesRead === 1 && buffer[0] !== LINE_END
}

function notWritable(path: string, error: unknown): SkillError {
  const why = errorCode(error) || (error instanceof Error ? error.message : 'for an unknown reason')
  return new SkillError(
    'FOLDER_NOT_WRITABLE',
    `The audit cannot be written to ${path} (${why}). Give this user the right to write there, make room, or pass another file, which is not a link.`,
    { path, cause: error },
  )
}
