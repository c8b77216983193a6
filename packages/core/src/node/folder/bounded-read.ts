import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'

// A small read in place costs a tenth of one by the thread pool; a large one would hold up everything else.
const CHUNK = 1024 * 1024
const readLater = promisify(read)

// In bytes, for what is read in one go.
const SMALL = 64 * 1024

/** The whole of an opened file that is small, and has the size that it was said to have; else nothing. */
export function readSmall(fd: number, size: number): Uint8Array | undefined {
  if (size > SMALL) return undefined
  const bytes = new Uint8Array(size + 1)
  try {
    return readSync(fd, bytes, 0, size + 1, 0) === size ? bytes.subarray(0, size) : undefined
  } catch {
    return undefined
  }
}

/**
 * The whole of an opened file, or nothing if it holds more than `maxBytes`.
 * @param size the size that the file was said to have, in bytes; it may have changed since and only guides the memory
 */
export async function readBounded(fd: number, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  if (size > maxBytes) return undefined
  // One byte more than the file should have shows its end, or that it grew, without another read.
  let bytes = new Uint8Array(size + 1)
  let length = 0
  for (;;) {
    if (length > maxBytes) return undefined
    if (length === bytes.length) bytes = enlarged(bytes, Math.min(length * 2, maxBytes + 1))
    const want = Math.min(bytes.length - length, CHUNK)
    const got =
      length < CHUNK
        ? readSync(fd, bytes, length, want, length)
        : (await readLater(fd, bytes, length, want, length)).bytesRead
    length += got
    // Less than was asked for, and all that the file was said to hold: its end. Else the next read tells.
    if (got === 0 || (got < want && length === size)) return bytes.subarray(0, length)
  }
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}
