import { hash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { refused, unreachable } from '../failure.ts'
import { localOrigin } from '../folder.ts'
import { MAX_ORIGIN_BYTES } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import type { Origin, ResolvedOrigin } from '../origin.ts'
import { treeOrigin } from '../tree-origin.ts'
import { readArchive } from './read.ts'
import { isSystemError } from '../../system-code.ts'

/** Resolves an archive on this machine to the digest of its bytes. */
export function resolveArchiveFile(path: string, options: OriginOptions): Origin {
  const { cwd = process.cwd(), maxBytes = MAX_ORIGIN_BYTES } = options
  const origin = { ...localOrigin(path, cwd), sourceType: 'archive' }
  return archiveOrigin(origin, readLocal(origin.source, resolve(cwd, path), maxBytes), options)
}

/** Returns the origin of an archive that is in memory. @throws {SkillError} ORIGIN_REFUSED: not the revision that is wanted */
export function archiveOrigin(origin: ResolvedOrigin, bytes: Uint8Array, options: OriginOptions): Origin {
  const resolved = { ...origin, revision: digestOf(bytes) }
  const { maxBytes = MAX_ORIGIN_BYTES } = options
  return treeOrigin(resolved, options, async (work, wanted) =>
    work(await readArchive(resolved.source, bytes, maxBytes), wanted),
  )
}

/** The revision of an origin that consists of bytes alone. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${hash('sha256', bytes)}`
}

function readLocal(source: string, path: string, maxBytes: number): Uint8Array {
  let fd: number | undefined
  try {
    // Without waiting for the writer of a pipe.
    fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw unreachable(source, 'it is not a file.')
    if (stats.size > maxBytes) throw refused(source, `it has ${stats.size} bytes, and ${maxBytes} are the most.`)
    return readFileSync(fd)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw unreachable(source, 'there is no such file, or it cannot be read. Check the path.', error)
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
