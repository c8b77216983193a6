const MAX_PIECES = 8
const MIN_PIECE_CHARS = 3

/**
 * Splits a text as a model streams it: several pieces, of three characters each or, in longer texts, at most eight.
 * Real models send more of them, which takes longer and shows nothing more. A character is never cut, since a JSON
 * string cannot contain half of one.
 */
export function piecesOf(text: string): string[] {
  const characters = Array.from(text)
  const size = Math.max(MIN_PIECE_CHARS, Math.ceil(characters.length / MAX_PIECES))
  const pieces: string[] = []
  for (let from = 0; from < characters.length; from += size) pieces.push(characters.slice(from, from + size).join(''))
  return pieces
}

/**
 * Splits the parts of a body into separate writes: each write ends in the middle of a part, and in the middle of a
 * character where
 * a part has one of several bytes. Readers that treat each write as one event, or decode writes one by one, fail on
 * this.
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

/** Returns the position after the first byte of the first multi-byte character, or the middle. */
function cutAt(bytes: Buffer): number {
  const lead = bytes.findIndex((byte) => byte >= 0x80)
  return lead === -1 ? bytes.length >> 1 : lead + 1
}
