import { readSync } from 'node:fs'
import type { OpenFile } from './safe-open.ts'

/** Memory that the visits of one scan share: a buffer of its own for every file takes nearly twice as long. */
interface HeadBuffer {
  bytes: Uint8Array
}

/** The beginning of a manifest, readable until it is closed. */
interface ManifestHead {
  /** As `FoundSkill.head`. @throws {TypeError} after the visit, or for what is no number of bytes */
  readonly read: (length: number) => Uint8Array
  /** The error that ended the reading early, if one did. */
  readonly failure: () => unknown
  /** Ends the visit. The descriptor is left to the one who opened it. */
  readonly close: () => void
}

// Covers the frontmatter of nearly every skill, so that one read does.
const FIRST_READ = 4096

/** A buffer for the heads of one scan. */
export function createHeadBuffer(): HeadBuffer {
  return { bytes: new Uint8Array(32 * 1024) }
}

/**
 * Reads the first bytes at once, so that a file that cannot be read shows before anyone is shown it. A later failure
 * reads as the file's end: the scan goes on, and `failure` tells.
 */
export function openHead({ fd, stats: { size } }: OpenFile, buffer: HeadBuffer): ManifestHead {
  let open = true
  let filled = 0
  let failure: unknown
  const fill = (want: number): void => {
    if (buffer.bytes.length < want) {
      const larger = new Uint8Array(want)
      larger.set(buffer.bytes.subarray(0, filled))
      buffer.bytes = larger
    }
    try {
      let got = -1
      while (filled < want && got !== 0) {
        got = readSync(fd, buffer.bytes, filled, want - filled, filled)
        filled += got
      }
    } catch (error) {
      failure = error
    }
  }
  // One byte at least: a file of the kernel's says that it has none.
  fill(Math.max(1, Math.min(FIRST_READ, size)))
  return {
    read: (length) => {
      if (!open) throw new TypeError('head() belongs to the visit. To read later, use the folder.')
      if (!Number.isSafeInteger(length) || length < 0) throw new TypeError('head() takes a number of bytes.')
      const want = Math.min(length, size)
      if (want > filled && failure === undefined) fill(want)
      return buffer.bytes.subarray(0, Math.min(filled, want))
    },
    failure: () => failure,
    close: () => {
      open = false
    },
  }
}
