import type { Fault } from './diagnostics.ts'
import { findFrontmatter, type FrontmatterPlace } from './fence.ts'
import { HEAD_BYTES, MAX_FRONTMATTER_BYTES, MAX_MANIFEST_BYTES } from './ports/limits.ts'
import type { Profile } from './ports/manifest.ts'
import { nameCodePoint, excerpt } from './text/hidden.ts'

/** What is known about a manifest file besides its bytes. */
export interface ManifestContext {
  /** The path in diagnostics. */
  readonly path: string
  /** The last segment of the folder's path. Absent: the skill's name is not compared with it. */
  readonly folderName?: string
  /** The file's name on disk. */
  readonly fileName: string
  readonly profile: Profile
}

/** A manifest file of which only the beginning is read. */
export interface ManifestFile {
  /** The file's size in bytes. */
  readonly size: number
  /** Returns the first `length` bytes, or fewer if the file is shorter. They are valid until the next call. */
  head(length: number): Uint8Array
}

/** The undecoded frontmatter of a file. */
export interface Frontmatter {
  /** Valid until the next call of the file's `head`. */
  readonly bytes: Uint8Array
  readonly place: FrontmatterPlace
  /** Faults that the profile lets pass: a wrong file name, blank lines before the frontmatter. Mostly empty. */
  readonly warnings: readonly Fault[]
}

/** Finds a file's frontmatter, reading as little of the file as possible. Returns a fault if there is none. */
export function openFrontmatter(file: ManifestFile, context: ManifestContext): Frontmatter | Fault {
  const { size } = file
  const misnamed = context.fileName === 'SKILL.md' ? undefined : checkFileName(context)
  if (misnamed?.severity === 'error') return misnamed.fault
  if (size > MAX_MANIFEST_BYTES) return tooLarge(size)
  let bytes = readHead(file, HEAD_BYTES)
  let result = findFrontmatter(bytes, bytes.length < HEAD_BYTES || bytes.length === size)
  if ('incomplete' in result) {
    bytes = readHead(file, MAX_FRONTMATTER_BYTES)
    result = findFrontmatter(bytes, bytes.length < MAX_FRONTMATTER_BYTES || bytes.length === size)
    if ('incomplete' in result) return unended()
  }
  if ('fault' in result) return result.fault
  const place = result.found
  const late = place.blankLines === 0 ? undefined : checkBlankLines(place, context.profile)
  if (late?.severity === 'error') return late.fault
  const warnings = [misnamed, late].flatMap((finding) => finding?.fault ?? [])
  return { bytes: bytes.subarray(place.start, place.end), place, warnings }
}

function readHead(file: ManifestFile, length: number): Uint8Array {
  const bytes = file.head(length)
  return bytes.length > length ? bytes.subarray(0, length) : bytes
}

/** A fault that the profile may let pass. */
interface Finding {
  readonly severity: 'error' | 'warning'
  readonly fault: Fault
}

function checkFileName({ fileName, profile }: ManifestContext): Finding {
  const message = `The file is named ${excerpt(fileName)}.`
  const hint = 'Rename it to "SKILL.md", in exactly these letters.'
  const certain = profile === 'lenient' && fileName.toLowerCase() === 'skill.md'
  return { severity: certain ? 'warning' : 'error', fault: { code: 'MANIFEST_MISNAMED', message, hint } }
}

function tooLarge(size: number): Fault {
  const message = `The file has ${size} bytes of at most ${MAX_MANIFEST_BYTES}.`
  const hint = 'Move the detail into files beside it, and name them in the body.'
  return { code: 'MANIFEST_TOO_LARGE', message, hint }
}

function unended(): Fault {
  const message = `The frontmatter does not end within the first ${MAX_FRONTMATTER_BYTES} bytes of the file.`
  const hint = 'Close it with a line "---", or move data into a file beside SKILL.md.'
  return { code: 'FRONTMATTER_TOO_LARGE', line: 1, message, hint }
}

/** Blank lines before the fence are unambiguous, but the standard requires the fence on the first line. */
function checkBlankLines({ blankLines }: FrontmatterPlace, profile: Profile): Finding {
  const message = `The opening "---" is on line ${blankLines + 1}, after blank lines.`
  const fault: Fault = { code: 'FRONTMATTER_LATE', line: 1, message, hint: 'Remove the blank lines before it.' }
  return { severity: profile === 'lenient' ? 'warning' : 'error', fault }
}

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

/** A manifest's path and its last two parts. */
interface ManifestPath {
  readonly path: string
  readonly folderName: string
  readonly fileName: string
}

/** @param path a skill's `path`: a file in a folder, so that it has both names */
export function parseManifestPath(path: string): ManifestPath {
  const end = lastSeparator(path, path.length)
  // Without a separator the whole path counts as the folder's name.
  if (end === -1) return { path, folderName: path, fileName: '' }
  return { path, folderName: path.slice(lastSeparator(path, end) + 1, end), fileName: path.slice(end + 1) }
}

/** Returns the index of the last `/` or `\` before `end`; -1 for none. */
function lastSeparator(path: string, end: number): number {
  return end === 0 ? -1 : Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1))
}
