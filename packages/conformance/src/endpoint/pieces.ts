const MAX_PIECES = 24
const SMALLEST_PIECE = 3

/**
 * A text as a model streams it: several pieces of a few characters each, at most two dozen. A character is never cut,
 * for a JSON string cannot carry half of one.
 */
export function piecesOf(text: string): string[] {
  const characters = Array.from(text)
  const size = Math.max(SMALLEST_PIECE, Math.ceil(characters.length / MAX_PIECES))
  const pieces: string[] = []
  for (let from = 0; from < characters.length; from += size) pieces.push(characters.slice(from, from + size).join(''))
  return pieces
}

/**
 * Parts of a body as separate writes: each write ends in the middle of a part, and in the middle of a character where
 * a part has one of several bytes. Readers that take a write for an event, or decode writes one by one, fail on it.
 */
export function writesOf(parts: readonly string[]): Buffer[] {
  const writes: Buffer[] = []
  let rest: Buffer = Buffer.alloc(0)
  for (const part of parts) {
    const bytes = Buffer.from(part)
    const at = cutAt(bytes)
    writes.push(Buffer.concat([rest, bytes.subarray(0, at)]))
    rest = bytes.subarray(at)
  }
  writes.push(rest)
  return writes.filter((write) => write.length > 0)
}

/** Behind the first byte of the first character of several bytes, or in the middle. */
function cutAt(bytes: Buffer): number {
  const lead = bytes.findIndex((byte) => byte >= 0x80)
  return lead === -1 ? bytes.length >> 1 : lead + 1
}
