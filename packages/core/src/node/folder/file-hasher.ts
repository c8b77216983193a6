import { hash } from 'node:crypto'
import { readSync } from 'node:fs'
import type { OpenFile } from './safe-open.ts'

/** Hashes the files of one folder while it is listed. */
export interface FileHasher {
  /** SHA-256, hex, of each file that was hashed, by path. */
  readonly hashes: ReadonlyMap<string, string>
  /**
   * Hashes a file, unless it is large, all together would be, or it changes meanwhile: a caller that needs the hash then
   * reads the file in a way that lets others have their turn.
   */
  readonly see: (path: string, file: OpenFile) => void
}

// In bytes: what a file may hold, and all of them together, to be hashed in place. That takes a few milliseconds.
const FILE_BYTES = 256 * 1024
const FOLDER_BYTES = 4 * 1024 * 1024

/** SHA-256, hex, by the machine's own means. */
export function sha256(data: Uint8Array | string): string {
  return hash('sha256', data, 'hex')
}

/** For small files of all folders: each is read and hashed in one go, so that no two are ever in it. */
const SHARED = new Uint8Array(32 * 1024)

/** All files are read into the same memory. */
export function createFileHasher(): FileHasher {
  const hashes = new Map<string, string>()
  let memory = SHARED
  let left = FOLDER_BYTES
  return {
    hashes,
    see(path, { fd, stats: { size } }) {
      if (size > FILE_BYTES || size > left) return
      left -= size
      if (memory.length <= size) memory = new Uint8Array(FILE_BYTES + 1)
      // A byte more than it should hold tells whether it grew.
      if (readWhole(fd, memory, size + 1) === size) hashes.set(path, sha256(memory.subarray(0, size)))
    },
  }
}

/** How many bytes there were, up to `want`; -1 if they cannot be read. */
function readWhole(fd: number, memory: Uint8Array, want: number): number {
  let length = 0
  try {
    for (;;) {
      const got = readSync(fd, memory, length, want - length, length)
      length += got
      // A regular file gives less than was asked for at its end alone, or else the next read gives more.
      if (got === 0 || length >= want - 1) return length
    }
  } catch {
    return -1
  }
}
