import { nameCodePoint } from './hidden.ts'
import type { Fault } from './diagnostics.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Control characters that YAML does not allow (YAML 1.2.2, 5.1): all of C0 except tab, line feed, carriage return. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F]/
const NUL = /\0/

const SAVE_AS_UTF8 = 'Save the file as UTF-8.'

/**
 * Decodes UTF-8, strictly. Returns the text, or the fault in it.
 * @param firstLine the file's line on which `bytes` begins, 1-based
 * @param refused `nul` for prose, `controls` for YAML
 */
export function decode(bytes: Uint8Array, firstLine: number, refused: 'nul' | 'controls'): string | Fault {
  let text
  try {
    text = utf8.decode(bytes)
  } catch {
    const message = 'The file holds bytes that are not UTF-8.'
    return { code: 'ENCODING_INVALID', line: undecodableLine(bytes, firstLine), message, hint: SAVE_AS_UTF8 }
  }
  const index = text.search(refused === 'nul' ? NUL : CONTROL)
  if (index === -1) return text
  const line = firstLine + countLines(text, index)
  const message = `The file holds the control character ${nameCodePoint(text.charAt(index))}.`
  return { code: 'ENCODING_INVALID', line, message, hint: 'Remove it; a file with such bytes is not text.' }
}

/** Returns a fault for a string that UTF-8 cannot represent: encoding replaces a lone surrogate with U+FFFD. */
export function findLoneSurrogate(text: string): Fault | undefined {
  const match = /[\uD800-\uDFFF]/u.exec(text)
  if (match === null) return undefined
  const message = `The text holds the lone surrogate ${nameCodePoint(match[0])}.`
  return { code: 'ENCODING_INVALID', line: 1 + countLines(text, match.index), message, hint: 'Remove it.' }
}

/** Whether the bytes begin with the byte order mark of UTF-16, little-endian or big-endian. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

/** Returns the length of the UTF-8 byte order mark, in bytes: 3, or 0 if there is none. */
export function byteOrderMarkLength(bytes: Uint8Array): 0 | 3 {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

/** Returns the number of line feeds before `index`. */
export function countLines(text: string, index: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) count++
  return count
}

function undecodableLine(bytes: Uint8Array, firstLine: number): number {
  // No multi-byte sequence contains a line feed, so each line can be decoded on its own.
  for (let start = 0, line = firstLine; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1 || tryDecode(bytes.subarray(start, end)) === undefined) return line
    start = end + 1
  }
}

function tryDecode(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}
