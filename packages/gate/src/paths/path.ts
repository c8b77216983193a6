import { MAX_PATH_CHARS, isLongerThan } from '../limits.ts'
import type { PatternPart } from './glob.ts'

/** A path by its text: no `.` or `..`, no doubled separators. */
export interface LexicalPath {
  readonly root: string | undefined
  readonly parts: readonly string[]
}

/** Why a path or a pattern cannot be judged, as a clause. */
export interface PathProblem {
  readonly problem: string
}

/**
 * What other programs would read as something else, in a path or a pattern: controls, halves of a pair, blanks at the
 * ends, a home folder, an encoded letter, a variable, a scheme, a drive, a backslash.
 */
// eslint-disable-next-line no-control-regex -- As Unicode properties they would take ten times as long to be read.
const SPECIAL = /[\0-\x1F\x7F-\x9F\uD800-\uDFFF~\\]|^\s|\s$|%[\da-fA-F]{2}|^\$[{A-Z_]|^[a-zA-Z][a-zA-Z\d+.-]*:/u

const DRIVE = /^[A-Za-z]:[\\/]/

export function isOnDrive(cwd: string | undefined): boolean {
  return cwd !== undefined && DRIVE.test(cwd)
}

/** Reads a path by its text, or says why it cannot be judged. */
export function readPath(text: string, windows: boolean): LexicalPath | PathProblem {
  if (text === '') return { problem: 'is empty' }
  if (text.length > MAX_PATH_CHARS) return { problem: isLongerThan(MAX_PATH_CHARS) }
  const drive = windows ? DRIVE.exec(text)?.[0] : undefined
  const plain = windows ? text.slice(drive?.length ?? 0).replaceAll('\\', '/') : text
  if (SPECIAL.test(plain))
    return { problem: 'is not plain: programs read its "~", "%", "$", "\\", scheme or blanks in different ways' }
  const parts = resolveParts(plain)
  if (parts === undefined) return { problem: 'leads out of the folder in which it begins' }
  // A stream, a name that Windows trims, a share or the root of some drive: not a file that the text alone tells.
  if (windows && (plain.startsWith('/') || parts.some((part) => /:|[. ]$/.test(part)))) {
    return { problem: 'holds characters that Windows interprets in its own way' }
  }
  if (drive !== undefined) return { root: `${drive[0]!.toUpperCase()}:/`, parts }
  return { root: plain.startsWith('/') ? '/' : undefined, parts }
}

/** The parts of a path without `.` and `..`; undefined where it leads out of the folder in which it begins. */
function resolveParts(path: string): readonly string[] | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

/** The host's working folder, of which every part is literal; undefined if it is not absolute. */
export function baseFolder(cwd: string, windows: boolean): LexicalPath | undefined {
  const root = windows ? `${cwd[0]!.toUpperCase()}:/` : cwd.startsWith('/') ? '/' : undefined
  const parts = resolveParts(windows ? cwd.slice(root!.length).replaceAll('\\', '/') : cwd)
  return root === undefined || parts === undefined ? undefined : { root, parts }
}

/** A path from the root, if the working folder is known. Nothing in the parts of that folder is a wildcard. */
export function fromRoot(
  { root, parts }: LexicalPath,
  base: LexicalPath | undefined,
): { readonly root: string | undefined; readonly parts: readonly PatternPart[] } {
  const own = parts.map((text) => ({ text }))
  if (root !== undefined || base === undefined) return { root, parts: own }
  return { root: base.root, parts: [...base.parts.map((text) => ({ text, literal: true })), ...own] }
}

/**
 * An argument may itself be a pattern that the tool expands (`Glob`). Steps up that hide in one, such as `{.,x}.` or
 * `[.][.]`, or that follow a `**` of no length, would leave the folder that the text stays in.
 */
export function globProblem(value: string): PathProblem | undefined {
  if (!/[*?[{(]/.test(value)) return undefined
  const groups = value.replace(/\{[\w-]+(?:,[\w-]+)*\}/g, '')
  const hidden =
    groups.includes('{') ||
    /\[\.+\]|[(|]\.+[)|]/.test(value) ||
    value.split('/').some((part) => /^\.[.*?]+$/.test(part))
  return hidden ? { problem: 'is a pattern that may leave the folder in which it begins' } : undefined
}
