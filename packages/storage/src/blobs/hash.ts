import { createHash } from 'node:crypto'

/** The SHA-256 of bytes, or of a text as UTF-8, in hex. */
export function hashOf(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex')
}
