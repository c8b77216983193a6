import { closeSync, readSync } from 'node:fs'
import { HEAD_BYTES } from '@repertoire/skill-md/internal'
import { explainOpenError } from './open-error.ts'
import { openRegularFile } from './safe-open.ts'

/**
 * Reads the beginning of a file: the first 4 KiB, or all of it if it is smaller. One open, fstat, read and close.
 * @returns the beginning, and the file's size in bytes
 * @throws {OpenError} it is not a regular file, or cannot be read
 */
export function readHead(path: string): { readonly head: Uint8Array; readonly size: number } {
  const { fd, stats } = openRegularFile(path)
  try {
    const bytes = new Uint8Array(Math.min(stats.size, HEAD_BYTES))
    return { head: bytes.subarray(0, readSync(fd, bytes)), size: stats.size }
  } catch (error) {
    throw explainOpenError(error, path)
  } finally {
    closeSync(fd)
  }
}
