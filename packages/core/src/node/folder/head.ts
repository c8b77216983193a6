import { closeSync, readSync } from 'node:fs'
import { findFrontmatter, HEAD_BYTES } from '@repertoire/skill-md/internal'
import { explainOpenError } from './open-error.ts'
import { openRegularFile } from './safe-open.ts'

/** What is read lies here until its frontmatter is copied: 4 KiB allocated for each file take half of a scan's time. */
const buffer = new Uint8Array(HEAD_BYTES)

/**
 * Reads the beginning of a manifest: its frontmatter, if that ends within 4 KiB, and otherwise 4 KiB of it. One open,
 * fstat, read and close.
 * @returns the beginning, and the file's size in bytes
 * @throws {OpenError} it is not a regular file, or cannot be read
 */
export function readHead(path: string): { readonly head: Uint8Array; readonly size: number } {
  const { fd, stats } = openRegularFile(path)
  try {
    const length = readSync(fd, buffer)
    const place = findFrontmatter(buffer.subarray(0, length), length === stats.size)
    return { head: buffer.slice(0, 'code' in place ? length : place.bodyStart), size: stats.size }
  } catch (error) {
    throw explainOpenError(error, path)
  } finally {
    closeSync(fd)
  }
}
