import type { Profile } from './ports/manifest.ts'
import type { Fault } from './diagnostics.ts'
import { findFrontmatter, type FrontmatterPlace } from './fence.ts'
import { quote } from './hidden.ts'
import { HEAD_BYTES, MAX_FRONTMATTER_BYTES, MAX_MANIFEST_BYTES } from './ports/limits.ts'

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
  /** In bytes. */
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
  const message = `The file is named ${quote(fileName)}.`
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
