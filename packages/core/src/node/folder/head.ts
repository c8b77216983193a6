import { closeSync, readSync } from 'node:fs'
import { HEAD_BYTES } from '@repertoire/skill-md/internal'
import { explainOpenError } from './open-error.ts'
import { openRegularFile } from './safe-open.ts'

/** The beginning of a file. */
export interface FileHead {
  /** The first 4 KiB, or all of the file if it is smaller. */
  readonly head: Uint8Array
  /** The file's size in bytes. */
  readonly size: number
}

const BLOCK_BYTES = 16 * HEAD_BYTES

/**
 * Returns a function that reads the beginnings of files: one open, fstat, read and close for each. Several heads lie in
 * one block of memory, since a buffer for each would take longer than the read. A block is never used twice.
 * @throws {OpenError} it is not a regular file, or cannot be read
 */
export function createHeadReader(): (path: string) => FileHead {
  let block = new Uint8Array(BLOCK_BYTES)
  let used = 0
  return (path) => {
    const { fd, stats } = openRegularFile(path)
    try {
      if (used + HEAD_BYTES > block.length) {
        block = new Uint8Array(BLOCK_BYTES)
        used = 0
      }
      const start = used
      used += readSync(fd, block, start, HEAD_BYTES, 0)
      return { head: block.subarray(start, used), size: stats.size }
    } catch (error) {
      throw explainOpenError(error, path)
    } finally {
      closeSync(fd)
    }
  }
}
