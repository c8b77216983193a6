import { MAX_PATTERN_CHARS, matchParts, type PatternPart } from './glob.ts'
import type { Comparison } from './mismatch.ts'
import { quote } from './wording.ts'

const MAX_PATH_CHARS = 4_096

/** A path by its text: no `.` or `..`, no doubled separators. */
export interface Lexical {
  /** `/`, a drive (`C:/`), or undefined where the path is relative. */
  readonly root: string | undefined
  readonly parts: readonly string[]
}

/** What is refused in a path and in a pattern: other programs would read it as something else. */
const SPECIAL: readonly (readonly [RegExp, string])[] = [
  // Controls, and halves of a pair. As Unicode properties they would take ten times as long to be read.
  // eslint-disable-next-line no-control-regex
  [/[\0-\x1F\x7F-\x9F\uD800-\uDFFF]/u, 'holds control characters'],
  [/^\s|\s$/u, 'begins or ends with a blank'],
  [/~/, 'holds a "~"'],
  [/%[\da-f]{2}/i, 'holds a "%" encoding'],
  [/^\$[{A-Z_]/, 'begins with a variable'],
  [/^[a-z][a-z\d+.-]*:/i, 'begins like a URL or a drive'],
  [/\\/, 'holds a backslash'],
]

const DRIVE = /^[A-Za-z]:[\\/]/

/**
 * Compares a file's path with a pattern of `*`, `?` and `**` (see `matchParts`), by text alone: links are not followed
 * here, that is for whoever opens the file. A relative path and a relative pattern are taken against the working
 * folder; where that is unknown, both must be relative or both absolute. A path that climbs above where it begins
 * matches nothing, whatever the folder. With a working folder on a Windows drive, `\` separates too.
 */
export function comparePath(name: string, value: unknown, cwd: string | undefined): Comparison {
  if (typeof value !== 'string') return () => ({ why: `its argument ${quote(name)} is no text`, weight: 'value' })
  const windows = isOnDrive(cwd)
  const path = globLeavesFolder(value) ?? readPath(value, windows)
  if (typeof path === 'string') return () => ({ why: `the path ${quote(value)} ${path}`, weight: 'value' })
  const base = cwd === undefined ? undefined : baseFolder(cwd, windows)
  return (pattern) => {
    const wanted = pattern.length > MAX_PATTERN_CHARS ? 'is too long' : readPath(pattern, windows)
    if (typeof wanted === 'string')
      return { why: `the rule's pattern ${quote(pattern)} ${wanted} and covers nothing`, weight: 'pattern' }
    if (covers(wanted, path, base)) return undefined
    return { why: `the path ${quote(value)} is not covered`, weight: 'form' }
  }
}

/** Whether a working folder is one of Windows, so that `\` separates too. */
export function isOnDrive(cwd: string | undefined): boolean {
  return cwd !== undefined && DRIVE.test(cwd)
}

function covers(pattern: Lexical, path: Lexical, base: Lexical | undefined): boolean {
  const patternParts = pattern.parts.map((text) => ({ text }))
  if (pattern.root === path.root) return matchParts(patternParts, path.parts)
  if (base === undefined) return false
  if (path.root === undefined)
    return pattern.root === base.root && matchParts(patternParts, [...base.parts, ...path.parts])
  const literal: readonly PatternPart[] = base.parts.map((text) => ({ text, literal: true }))
  return pattern.root === undefined && path.root === base.root && matchParts([...literal, ...patternParts], path.parts)
}

/** A path, or a clause that says why it is none that can be judged. */
export function readPath(text: string, windows: boolean): Lexical | string {
  if (text === '') return 'is empty'
  if (text.length > MAX_PATH_CHARS) return 'is longer than 4,096 characters'
  const drive = windows ? DRIVE.exec(text)?.[0] : undefined
  const plain = windows ? text.slice(drive?.length ?? 0).replaceAll('\\', '/') : text
  const special = SPECIAL.find(([pattern]) => pattern.test(plain))
  if (special !== undefined) return special[1]
  const parts = climb(plain)
  if (parts === undefined) return 'climbs out of the folder that it begins in'
  // A stream, a name that Windows trims, a share or the root of some drive: not a file that the text alone tells.
  if (windows && (plain.startsWith('/') || parts.some((part) => /:|[. ]$/.test(part)))) {
    return 'holds what Windows reads in its own way'
  }
  if (drive !== undefined) return { root: `${drive[0]!.toUpperCase()}:/`, parts }
  return { root: plain.startsWith('/') ? '/' : undefined, parts }
}

function climb(path: string): string[] | undefined {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

/** The host's working folder, which is trusted to be what it is; undefined where it is not absolute. */
export function baseFolder(cwd: string, windows: boolean): Lexical | undefined {
  const root = windows ? `${cwd[0]!.toUpperCase()}:/` : cwd.startsWith('/') ? '/' : undefined
  const parts = climb(windows ? cwd.slice(root!.length).replaceAll('\\', '/') : cwd)
  return root === undefined || parts === undefined ? undefined : { root, parts }
}

/**
 * An argument may itself be a pattern that the tool expands (`Glob`). Steps up that hide in one, such as `{.,x}.` or
 * `[.][.]`, or that follow a `**` of no length, would leave the folder that the text stays in.
 */
export function globLeavesFolder(value: string): string | undefined {
  if (!/[*?[{(]/.test(value)) return undefined
  const groups = value.replace(/\{[\w-]+(?:,[\w-]+)*\}/g, '')
  const hidden =
    groups.includes('{') ||
    /\[\.+\]|[(|]\.+[)|]/.test(value) ||
    value.split('/').some((part) => /^\.[.*?]+$/.test(part))
  return hidden ? 'is a pattern that may leave the folder that it begins in' : undefined
}
