import { hash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import process from 'node:process'
import { openPinnedFolder } from '@repertoire/core/node'
import { readFileIn, withFolder } from '../../open-folder.ts'
import { refused, unreachable } from '../failure.ts'
import { localOrigin } from '../folder.ts'
import { MAX_ORIGIN_BYTES } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import type { Origin, ResolvedOrigin } from '../origin.ts'
import { treeOrigin } from '../tree-origin.ts'
import { readArchive } from './read.ts'

/** Resolves an archive on this machine to the digest of its bytes. */
export function resolveArchiveFile(path: string, options: OriginOptions): Origin {
  const { cwd = process.cwd(), maxBytes = MAX_ORIGIN_BYTES } = options
  const origin = { ...localOrigin(path, cwd), sourceType: 'archive' }
  return archiveOrigin(origin, readLocal(origin.source, resolve(cwd, path), maxBytes), options)
}

/** Returns the origin of an archive in memory. @throws {SkillError} ORIGIN_REFUSED: not the revision that is wanted */
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
  let bytes: Uint8Array | undefined
  try {
    // Links on the way are the user's own.
    const real = realpathSync.native(path)
    bytes = withFolder(openPinnedFolder(dirname(real)), (folder) => readFileIn(folder, basename(real), maxBytes))
  } catch (error) {
    throw unreachable(source, 'there is no such file, or it cannot be read. Check the path.', error)
  }
  if (bytes === undefined)
    throw refused(source, `it has more than ${maxBytes} bytes. Unpack it, and add a folder of it.`)
  return bytes
}
