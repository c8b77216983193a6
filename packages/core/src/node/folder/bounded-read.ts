import { read, readSync } from 'node:fs'
import { promisify } from 'node:util'

// A small synchronous read takes a tenth of the time of one in the thread pool; a large one would block the event loop.
const CHUNK_BYTES = 1024 * 1024
const readInPool = promisify(read)

// Files up to this size are read with one call.
const MAX_SMALL_FILE_BYTES = 64 * 1024

/** Reads an opened file if it is small and still has the given size. Returns undefined otherwise. */
export function readSmall(fd: number, size: number): Uint8Array | undefined {
  if (size > MAX_SMALL_FILE_BYTES) return undefined
  const bytes = new Uint8Array(size + 1)
  try {
    return readSync(fd, bytes, 0, size + 1, 0) === size ? bytes.subarray(0, size) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads a whole opened file. Returns undefined if it is larger than `maxBytes`.
 * @param size its size when it was opened, in bytes: how much memory to reserve, since it may have changed
 */
export async function readBounded(fd: number, size: number, maxBytes: number): Promise<Uint8Array | undefined> {
  if (size > maxBytes) return undefined
  // One byte more than expected: the read then shows whether the file ends there or has grown.
  let bytes = new Uint8Array(size + 1)
  let length = 0
  for (;;) {
    if (length > maxBytes) return undefined
    if (length === bytes.length) bytes = enlarged(bytes, Math.min(length * 2, maxBytes + 1))
    const wanted = Math.min(bytes.length - length, CHUNK_BYTES)
    const bytesRead =
      length < CHUNK_BYTES
        ? readSync(fd, bytes, length, wanted, length)
        : (await readInPool(fd, bytes, length, wanted, length)).bytesRead
    length += bytesRead
    // Fewer bytes than wanted, and as many as expected: the end of the file. Otherwise the next read shows it.
    if (bytesRead === 0 || (bytesRead < wanted && length === size)) return bytes.subarray(0, length)
  }
}

function enlarged(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}
