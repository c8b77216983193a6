import { closeSync, readFileSync } from 'node:fs'
import type { OpenFolder } from '@repertoire/core/node'

/** Does some work with a folder, and closes it. */
export function withFolder<T>(folder: OpenFolder, work: (folder: OpenFolder) => T): T {
  try {
    return work(folder)
  } finally {
    folder.close()
  }
}

/** Reads a file of a folder; undefined if it is larger than it may be. @throws {OpenError} */
export function readFileIn(folder: OpenFolder, name: string, maxBytes: number): Buffer | undefined {
  const { fd, stats } = folder.file(name)
  try {
    return stats.size <= maxBytes ? readFileSync(fd) : undefined
  } finally {
    closeSync(fd)
  }
}
