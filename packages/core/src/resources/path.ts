import { SkillError, quoteBeginning, type FolderEntry, type FolderListing } from '@repertoire/skill-md/internal'
import { byText } from '../text/order.ts'

const MAX_PATH_CHARS = 4096

/** The part of a path that a message repeats. */
const MAX_QUOTE_CHARS = 200

/** Whether an entry is withheld from models because of its name: hidden ones (`.env`, `.git`) and `node_modules`. */
export function isWithheld(name: string): boolean {
  return name.startsWith('.') || isDependencyFolder(name)
}

export function isGitData(name: string): boolean {
  return name === '.git'
}

export function isDependencyFolder(name: string): boolean {
  return name === 'node_modules'
}

/** Matches nearly every path, and only valid ones. */
const PLAIN_PATH = /^(?:\w[\w.-]*\/)*\w[\w.-]*$/

/** What no path inside a folder holds, and why. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/\0/, 'it holds a NUL character'],
  [/\\/, 'it holds a backslash, and parts are divided by "/"'],
  [/^\//, 'it is absolute'],
  [/^[a-z]:/i, 'it names a drive'],
  [/^[a-z][a-z0-9+.-]*:/i, 'it is a URL'],
  // Dot, slash, backslash, percent, NUL, and the overlong forms of dot and slash.
  [/%(?:2e|2f|5c|25|00|c0%a[ef])/i, 'it is percent-encoded, and paths are used literally'],
  [/(?:^|\/)\.\.(?:\/|$)/, 'it contains ".."'],
  [/\/(?:\/|$)/, 'it holds an empty part: "//", or "/" at its end'],
  [/^\.(?:\/\.)*$/, 'it names the folder itself'],
]

/** Returns why a text is not a path inside a folder, as the end of a sentence; undefined if it is one. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (path.length > MAX_PATH_CHARS) return `it is longer than ${MAX_PATH_CHARS} characters`
  return PLAIN_PATH.test(path) ? undefined : PROBLEMS.find(([found]) => found.test(path))?.[1]
}

/**
 * Returns the parts of a path inside a skill's folder, without `.` parts.
 * @param location the folder, as messages name it
 * @param hidden whether hidden parts are allowed; `.git` and `node_modules` never are
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED (hidden, `node_modules`)
 */
export function resourceParts(path: string, location: string, hidden = false): readonly string[] {
  const problem = typeof path === 'string' ? pathProblem(path) : 'it is not a string'
  if (problem !== undefined) {
    throw new SkillError(
      'RESOURCE_PATH_INVALID',
      `${quoted(path)} is not a path inside the skill's folder: ${problem}. ` +
        'Pass a path relative to that folder, such as "references/guide.md".',
      { path: location },
    )
  }
  const parts = path.split('/').filter((part) => part !== '.')
  const withheld = parts.find((part) => (hidden ? isGitData(part) || isDependencyFolder(part) : isWithheld(part)))
  if (withheld !== undefined) {
    throw new SkillError(
      'RESOURCE_REFUSED',
      `${quoted(path)} is not available: hidden files and node_modules are not part of a skill. ` +
        `Rename ${quoted(withheld)} if the skill needs it.`,
      { path: `${location}/${parts.join('/')}` },
    )
  }
  return parts
}

/** Returns a path for a message: in quotes, at most 200 characters, invisible characters written out. */
export function quoted(path: unknown): string {
  return quoteBeginning(String(path), MAX_QUOTE_CHARS)
}

/** Lists files that are not on a disk as a folder on a disk is listed, so that the same rules apply to both. */
export function listFiles(entries: readonly FolderEntry[]): FolderListing {
  const sorted = entries.toSorted(byText(({ path }) => path))
  const searched = sorted.filter(
    ({ path }) => !path.split('/').some((part) => isGitData(part) || isDependencyFolder(part)),
  )
  const skipped = new Set(sorted.flatMap(({ path }) => skippedFolder(path.split('/')) ?? []))
  const refused = [...skipped].map((path) => ({ path, reason: 'not searched' }))
  return {
    files: searched.filter((file) => !isHidden(file)),
    truncated: false,
    refused: [],
    withheld: { files: searched.filter(isHidden), truncated: false, refused },
  }
}

function isHidden({ path }: FolderEntry): boolean {
  return path.split('/').some(isWithheld)
}

/** Returns the dependency folder that contains a path and is not searched. Paths in `.git` are ignored. */
function skippedFolder(parts: readonly string[]): string | undefined {
  const first = parts.findIndex((part) => isGitData(part) || isDependencyFolder(part))
  return isDependencyFolder(parts[first] ?? '') ? parts.slice(0, first + 1).join('/') : undefined
}
