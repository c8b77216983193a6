import { readSync } from 'node:fs'
import type { OpenFile } from '../folder/safe-open.ts'
import { HEAD_BYTES, MAX_FRONTMATTER_BYTES } from '@repertoire/skill-md/internal'

/**
 * Reads the beginnings of manifests, one after the other, into one shared buffer: a separate buffer for each file takes
 * nearly twice as long.
 */
export interface HeadReader {
  /**
   * Starts the visit of a file and ends the previous one. Reads the first bytes at once, so that an unreadable file is
   * noticed before the visitor gets it. The caller closes the descriptor.
   * @returns the number of this visit, to be passed to `head`
   */
  begin(file: OpenFile): number
  /** Does what `FoundSkill.head` does. @throws {TypeError} after the visit, or if the length is not a number of bytes */
  head(visit: number, length: number): Uint8Array
  /** Returns the error that ended the read early, if any: the file then appears to end there. */
  failure(): unknown
  /** Ends the visit. */
  end(): void
}

/** Returns a reader for the manifests of one scan. */
export function createHeadReader(): HeadReader {
  let bytes = new Uint8Array(MAX_FRONTMATTER_BYTES)
  let view = bytes
  let visit = 0
  let isOpen = false
  let fd = -1
  let size = 0
  let filled = 0
  let failure: unknown

  const fill = (length: number): void => {
    if (bytes.length < length) {
      const larger = new Uint8Array(length)
      larger.set(bytes.subarray(0, filled))
      bytes = larger
    }
    try {
      let bytesRead = -1
      while (filled < length && bytesRead !== 0) {
        bytesRead = readSync(fd, bytes, filled, length - filled, filled)
        filled += bytesRead
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
      // At least one byte: a virtual file of the kernel reports the size 0.
      fill(Math.max(1, Math.min(HEAD_BYTES, size)))
      return ++visit
    },
    head(ofVisit, length) {
      if (!isOpen || ofVisit !== visit)
        throw new TypeError('head() belongs to the visit. To read later, use the folder.')
      if (!Number.isSafeInteger(length) || length < 0) throw new TypeError('head() takes a number of bytes.')
      const wanted = Math.min(length, size)
      if (wanted > filled && failure === undefined) fill(wanted)
      const available = Math.min(filled, wanted)
      // Most manifests are longer than the requested length, so one view can be used for many of them.
      if (view.length !== available || view.buffer !== bytes.buffer) view = new Uint8Array(bytes.buffer, 0, available)
      return view
    },
    failure: () => failure,
    end() {
      isOpen = false
    },
  }
}
