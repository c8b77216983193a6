import type { ScriptResult } from '@repertoire/core'

type Stream = 'stdout' | 'stderr'

/** What a script wrote, as far as it is kept. */
export type Output = Pick<ScriptResult, 'stdout' | 'stderr' | 'dropped'>

const NONE: Output['dropped'] = { stdout: 0, stderr: 0 }

/** Keeps the first bytes of both streams together, in the order of arrival, and counts the others. */
export interface OutputCollector {
  add(stream: Stream, bytes: Uint8Array): void
  /** A cut UTF-8 stream does not end in the middle of a character. */
  finish(): Output
}

export function collectOutput(maxBytes: number, droppedBefore: Output['dropped'] = NONE): OutputCollector {
  const kept: Record<Stream, Uint8Array[]> = { stdout: [], stderr: [] }
  const dropped: Record<Stream, number> = { ...droppedBefore }
  let left = maxBytes
  return {
    add(stream, bytes) {
      const part = bytes.byteLength > left ? bytes.slice(0, left) : bytes
      left -= part.byteLength
      dropped[stream] += bytes.byteLength - part.byteLength
      if (part.byteLength > 0) kept[stream].push(part)
    },
    finish() {
      const whole = (stream: Stream): Uint8Array => {
        const bytes = Buffer.concat(kept[stream])
        if (dropped[stream] === 0) return bytes
        const end = endOfCharacters(bytes)
        dropped[stream] += bytes.byteLength - end
        return bytes.subarray(0, end)
      }
      const stdout = whole('stdout')
      const stderr = whole('stderr')
      return { stdout, stderr, dropped: { ...dropped } }
    },
  }
}

/**
 * Output that is there as a whole.
 * @param dropped what was left out of it elsewhere
 */
export function cutOutput(
  stdout: Uint8Array,
  stderr: Uint8Array,
  maxBytes: number,
  dropped: Output['dropped'] = NONE,
): Output {
  const output = collectOutput(maxBytes, dropped)
  // What went wrong is short, and what a reader needs first.
  output.add('stderr', stderr)
  output.add('stdout', stdout)
  return output.finish()
}

/** Where the last whole character ends: a character of UTF-8 has at most three bytes after its first. */
function endOfCharacters(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(4, length); back++) {
    const byte = bytes[length - back] ?? 0
    if (byte < 0x80) return length
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length - back : length
  }
  return length
}
