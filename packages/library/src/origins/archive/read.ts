import type { OriginTree } from '../tree.ts'
import { readTar } from './tar.ts'
import { readZip } from './zip.ts'

/** An archive may unpack to so many times its size. Text shrinks to a fifth, and tables to a fiftieth. */
const MAX_RATIO = 100

/** Up to so many bytes, the ratio says nothing. */
const SMALL_BYTES = 10 * 1024 * 1024

/**
 * Reads an archive into memory: tar, tar.gz or zip, by what it is and not by its name.
 * @param maxBytes of all files together, unpacked
 * @throws {SkillError} ORIGIN_REFUSED: one bad entry refuses the whole archive
 */
export async function readArchive(origin: string, bytes: Uint8Array, maxBytes: number): Promise<OriginTree> {
  const most = Math.min(maxBytes, Math.max(SMALL_BYTES, bytes.length * MAX_RATIO))
  const isZip = Buffer.from(bytes.subarray(0, 2)).toString() === 'PK'
  return isZip ? readZip(origin, bytes, most) : readTar(origin, bytes, most)
}
