import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { refused } from '../failure.ts'
import type { OriginTree } from '../tree.ts'
import { readTar } from './tar.ts'
import { readZip } from './zip.ts'
import { systemCodeOf } from '../../system-code.ts'

const unpack = promisify(gunzip)

/** An archive may unpack to so many times its size. Text shrinks to a fifth, and tables to a fiftieth. */
const MAX_RATIO = 100

/** Up to so many bytes, the ratio says nothing. */
const SMALL_BYTES = 10 * 1024 * 1024

/** How other archives begin. */
const UNREAD: readonly (readonly [string, string])[] = [
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['28b52ffd', 'zstd'],
  ['377abcaf271c', '7z'],
  ['526172211a07', 'rar'],
]

/**
 * Reads an archive into memory: tar, tar.gz or zip, by what it is and not by its name.
 * @param maxBytes of all files together, unpacked
 * @throws {SkillError} ORIGIN_REFUSED: one bad entry refuses the whole archive
 */
export async function readArchive(origin: string, bytes: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const start = Buffer.from(bytes.subarray(0, 6)).toString('hex')
  const most = Math.min(maxBytes, Math.max(SMALL_BYTES, bytes.length * MAX_RATIO))
  if (start.startsWith('504b0304') || start.startsWith('504b0506')) return readZip(origin, bytes, most)
  const unread = UNREAD.find(([magic]) => start.startsWith(magic))
  if (unread !== undefined) throw refused(origin, `archives of ${unread[1]} are not read. Pack it as .tar.gz or .zip.`)
  return readTar(origin, start.startsWith('1f8b') ? await unzipped(origin, bytes, most) : bytes, most)
}

async function unzipped(origin: string, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  try {
    return await unpack(bytes, { maxOutputLength: most })
  } catch (error) {
    const isLarger = systemCodeOf(error) === 'ERR_BUFFER_TOO_LARGE'
    const reason = isLarger
      ? `it unpacks to more than ${most} bytes, which is the limit for one of its size.`
      : 'it is not whole, or not packed by gzip.'
    throw refused(origin, reason)
  }
}
