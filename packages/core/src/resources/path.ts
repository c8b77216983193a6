import { SkillError } from '../errors.ts'

const MAX_LENGTH = 4096

/** Whether an entry is withheld by its name from models: hidden ones (`.env`, `.git`) and `node_modules`. */
export function isWithheld(name: string): boolean {
  return name.startsWith('.') || isUncovered(name)
}

/** Whether an entry is a repository's own bookkeeping, which changes with every command of git and is not content. */
export function isBookkeeping(name: string): boolean {
  return name === '.git'
}

/** Whether an entry is not looked into even for a digest: it holds too much. */
export function isUncovered(name: string): boolean {
  return name === 'node_modules'
}

/** Nearly every path: nothing is wrong with one of parts like these. */
const PLAIN = /^(?:\w[\w.-]*\/)*\w[\w.-]*$/

/** What is wrong with a path as a path inside a folder, as the end of a sentence; nothing if it is one. */
export function pathProblem(path: string): string | undefined {
  if (path === '') return 'it is empty'
  if (path.length > MAX_LENGTH) return `it is longer than ${MAX_LENGTH} characters`
  if (PLAIN.test(path)) return undefined
  if (path.includes('\0')) return 'it holds a NUL character'
  if (path.includes('\\')) return 'it holds a backslash, and parts are divided by "/"'
  if (path.startsWith('/')) return 'it is absolute'
  if (/^[a-z]:/i.test(path)) return 'it names a drive'
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return 'it is a URL'
  // Dot, slash, backslash, percent, NUL, and the overlong forms of dot and slash.
  if (/%(?:2e|2f|5c|25|00|c0%a[ef])/i.test(path)) return 'it is percent-encoded, and paths are taken as they stand'
  const parts = path.split('/')
  if (parts.includes('..')) return 'it climbs with ".."'
  if (parts.includes('')) return 'it holds an empty part: "//", or "/" at its end'
  if (parts.every((part) => part === '.')) return 'it names the folder itself'
  return undefined
}

/**
 * The parts of a path inside a skill's folder, `.` parts left out.
 * @param location the folder, as the message names it
 * @param hidden whether the path may be hidden; `.git` and `node_modules` may not be in it even so
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
  const withheld = parts.find((part) => (hidden ? isBookkeeping(part) || isUncovered(part) : isWithheld(part)))
  if (withheld !== undefined) {
    throw new SkillError(
      'RESOURCE_REFUSED',
      `${quoted(path)} is not given out: hidden files and node_modules are not part of a skill. ` +
        `Rename ${quoted(withheld)} if the skill needs it.`,
      { path: `${location}/${parts.join('/')}` },
    )
  }
  return parts
}

/** A path in a message: quoted, control characters escaped, cut. */
export function quoted(path: unknown): string {
  const text = typeof path === 'string' ? path : String(path)
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
