import type { Fault } from './diagnostics.ts'
import { countLines, findFrontmatter, type FrontmatterPlace } from './fence.ts'
import { MAX_FRONTMATTER_BYTES, MAX_MANIFEST_BYTES } from './ports/limits.ts'
import type { Profile } from './ports/manifest.ts'
import { quote } from './text/escape.ts'
import { nameCodePoint } from './text/hidden.ts'

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

/** The undecoded frontmatter of a file. */
export interface Frontmatter {
  readonly bytes: Uint8Array
  readonly place: FrontmatterPlace
  /** Faults that the profile lets pass: a wrong file name, blank lines before the frontmatter. Mostly empty. */
  readonly warnings: readonly Fault[]
}

/**
 * Finds a file's frontmatter. Returns a fault if there is none.
 * @param head the beginning of the file
 * @param size the file's size in bytes
 */
export function openFrontmatter(
  head: Uint8Array,
  size: number,
  { fileName, profile }: ManifestContext,
): Frontmatter | Fault {
  const warnings: Fault[] = []
  if (fileName !== 'SKILL.md') {
    const message = `The file is named ${quote(fileName)}.`
    const hint = 'Rename it to "SKILL.md", in exactly these letters.'
    warnings.push({ code: 'MANIFEST_MISNAMED', message, hint })
    if (profile !== 'lenient' || fileName.toLowerCase() !== 'skill.md') return warnings[0]!
  }
  if (size > MAX_MANIFEST_BYTES) {
    const message = `The file has ${size} bytes of at most ${MAX_MANIFEST_BYTES}.`
    const hint = 'Move the detail into files beside it, and name them in the body.'
    return { code: 'MANIFEST_TOO_LARGE', message, hint }
  }
  const bytes = head.subarray(0, MAX_FRONTMATTER_BYTES)
  const place = findFrontmatter(bytes, bytes.length === size)
  if ('code' in place) {
    const isTooLong =
      place.code === 'FRONTMATTER_UNCLOSED' && size > bytes.length && bytes.length === MAX_FRONTMATTER_BYTES
    if (!isTooLong) return place
    const message = `The frontmatter does not end within the first ${MAX_FRONTMATTER_BYTES} bytes of the file.`
    const hint = 'Close it with a line "---", or move data into a file beside SKILL.md.'
    return { code: 'FRONTMATTER_TOO_LARGE', line: 1, message, hint }
  }
  if (place.blankLines > 0) {
    const message = `The opening "---" is on line ${place.blankLines + 1}, after blank lines.`
    warnings.push({ code: 'FRONTMATTER_LATE', line: 1, message, hint: 'Remove the blank lines before it.' })
    if (profile !== 'lenient') return warnings.at(-1)!
  }
  return { bytes: bytes.subarray(place.start, place.end), place, warnings }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Control characters that YAML does not allow (YAML 1.2.2, 5.1): all of C0 except tab, line feed, carriage return. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x08\x0B\x0C\x0E-\x1F]/
const NUL = /\0/

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
    const replaced = new TextDecoder().decode(bytes)
    const line = firstLine + countLines(replaced, replaced.indexOf('\uFFFD'))
    const message = 'The file holds bytes that are not UTF-8.'
    return { code: 'ENCODING_INVALID', line, message, hint: 'Save the file as UTF-8.' }
  }
  const index = text.search(refused === 'nul' ? NUL : CONTROL)
  if (index === -1) return text
  const line = firstLine + countLines(text, index)
  const message = `The file holds the control character ${nameCodePoint(text.charAt(index))}.`
  return { code: 'ENCODING_INVALID', line, message, hint: 'Remove it; a file with such bytes is not text.' }
}

/** Returns a manifest's path with its last two parts. @param path a file in a folder */
export function parseManifestPath(path: string): Pick<ManifestContext, 'path' | 'fileName'> & { folderName: string } {
  const [, folderName = path, fileName = ''] = /(?:^|[/\\])([^/\\]*)[/\\]([^/\\]*)$/.exec(path) ?? []
  return { path, folderName, fileName }
}
