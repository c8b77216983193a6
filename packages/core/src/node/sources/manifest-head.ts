import { readSync } from 'node:fs'
import type { OpenFile } from '../folder/safe-open.ts'
import { HEAD_BYTES, MAX_FRONTMATTER_BYTES } from '../../ports/limits.ts'

/**
 * Reads the beginnings of manifests, one after the other, into memory that they share: a buffer of its own for every
 * file takes nearly twice as long.
 */
export interface HeadReader {
  /**
   * Reads the first bytes at once, so that a file that cannot be read shows before anyone is shown it. Ends the visit
   * before. The descriptor is left to the one who opened it.
   * @returns the number of this visit, which `head` asks for
   */
  begin(file: OpenFile): number
  /** As `FoundSkill.head`. @throws {TypeError} after the visit, or where the length is not a number of bytes */
  head(visit: number, length: number): Uint8Array
  /** The error that ended the reading early, if one did: the file then reads as if it ended there. */
  failure(): unknown
  /** Ends the visit. */
  end(): void
}

/** A reader for the heads of one scan. */
export function createHeadReader(): HeadReader {
  let bytes = new Uint8Array(MAX_FRONTMATTER_BYTES)
  let view = bytes
  let visit = 0
  let isOpen = false
  let fd = -1
  let size = 0
  let filled = 0
  let failure: unknown

  const fill = (want: number): void => {
    if (bytes.length < want) {
      const larger = new Uint8Array(want)
      larger.set(bytes.subarray(0, filled))
      bytes = larger
    }
    try {
      let got = -1
      while (filled < want && got !== 0) {
        got = readSync(fd, bytes, filled, want - filled, filled)
        filled += got
      }
    } catch (error) {
      failure = error
    }
  }

  return {
    begin(file) {
      fd = file.fd
      size = file.stats.size
      filled = 0
      failure = undefined
      isOpen = true
      // One byte at least: a file of the kernel's says that it has none.
      fill(Math.max(1, Math.min(HEAD_BYTES, size)))
      return ++visit
    },
    head(of, length) {
      if (!isOpen || of !== visit) throw new TypeError('head() belongs to the visit. To read later, use the folder.')
      if (!Number.isSafeInteger(length) || length < 0) throw new TypeError('head() takes a number of bytes.')
      const want = Math.min(length, size)
      if (want > filled && failure === undefined) fill(want)
      const shown = Math.min(filled, want)
      // Most manifests are longer than what is asked for, so that one view does for many.
      if (view.length !== shown || view.buffer !== bytes.buffer) view = new Uint8Array(bytes.buffer, 0, shown)
      return view
    },
    failure: () => failure,
    end() {
      isOpen = false
    },
  }
}
