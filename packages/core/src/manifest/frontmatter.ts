import type { Profile } from '../ports/manifest.ts'
import type { Fault } from './diagnostics.ts'
import { betweenFences, findFrontmatter } from './fence.ts'
import type { FrontmatterPlace } from './fence.ts'
import { quote } from './hidden.ts'
import { HEAD_BYTES, MAX_FRONTMATTER_BYTES, MAX_MANIFEST_BYTES } from '../ports/limits.ts'

/** What is known of a manifest file beside its bytes. */
export interface ManifestContext {
  /** As diagnostics name the file. */
  readonly path: string
  /** The folder's own name. Absent: the skill's name is not compared with it. */
  readonly folderName?: string
  /** The file's name as found. */
  readonly fileName: string
  readonly profile: Profile
}

/** A manifest file that is read no further than it must be. */
export interface ManifestFile {
  /** In bytes. */
  readonly size: number
  /** The first `length` bytes, fewer at the file's end. They are not used after the next call. */
  head(length: number): Uint8Array
}

/** A frontmatter that was found, undecoded. */
export interface Frontmatter {
  /** Not used after the next call of the file's `head`. */
  readonly bytes: Uint8Array
  readonly place: FrontmatterPlace
  /** What was wrong before it, and the profile lets pass. Empty where the file has its name and begins with it. */
  readonly warnings: readonly Fault[]
}

const NONE: readonly Fault[] = []

/** Finds a file's frontmatter, with as little of the file as that takes; or says why there is none. */
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
  const warnings =
    misnamed === undefined && late === undefined ? NONE : [misnamed, late].flatMap((one) => one?.fault ?? [])
  return { bytes: bytes.subarray(place.start, place.end), place, warnings }
}

/**
 * What is the frontmatter if the file's has so many bytes. Whoever knows a frontmatter that holds the same need not look
 * for its end; else it is to be opened.
 */
export function guessFrontmatter(file: ManifestFile, fileName: string, length: number): Uint8Array | undefined {
  if (fileName !== 'SKILL.md' || file.size > MAX_MANIFEST_BYTES) return undefined
  return betweenFences(readHead(file, HEAD_BYTES), length)
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

/** Blank lines before the fence leave only one reading; the standard begins the file with the fence all the same. */
function checkBlankLines({ blankLines }: FrontmatterPlace, profile: Profile): Finding {
  const message = `The opening "---" stands on line ${blankLines + 1}, after blank lines.`
  const fault: Fault = { code: 'FRONTMATTER_LATE', line: 1, message, hint: 'Remove the blank lines before it.' }
  return { severity: profile === 'lenient' ? 'warning' : 'error', fault }
}
