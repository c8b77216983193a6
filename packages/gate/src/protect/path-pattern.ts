import { foldPart, partsOf, readingsFromHere, resolved } from '../inside.ts'
import { matchText } from '../glob.ts'
import { MAX_EXPANSIONS, MAX_PATTERN_CHARS } from '../limits.ts'
import { alternatives } from './expansion.ts'

const EVERYTHING = '*'

/**
 * What a glob pattern may stand for, as absolute paths in which `*` is any text, slashes included. Tools differ in what
 * `*`, `[a]`, `{a,b}` and `@(a)` mean and in whether `*.sh` looks into folders: every reading counts, since this is for
 * refusing. A path without a pattern in it is literal.
 * @param location the folder that the paths are compared with, see `comparablePath`
 * @param cwd absent: unknown
 */
export function pathPatterns(value: string, location: string, cwd: string | undefined): readonly string[] {
  // A backslash is a separator to some and keeps the next letter as it is to others.
  const spellings = [...new Set([value, value.replaceAll('\\', '')])]
  const expanded = value.length > MAX_PATTERN_CHARS ? undefined : alternatives(spellings)
  if (expanded === undefined || expanded.some(mayClimb)) return [EVERYTHING]
  const found = new Set<string>()
  for (const plain of expanded) {
    const text = widen(plain).replace(/\*+/g, '*')
    // A whole part may be `**`, which matches no part at all too.
    for (const parts of readingsFromHere(text, location, cwd)) {
      found.add(foldPath(parts, location).replace(/(?<=^|\/)\*\//g, '*'))
    }
    if (found.size > MAX_EXPANSIONS) return [EVERYTHING]
  }
  return [...found]
}

/** A file of a folder as `mayName` compares it. */
export function comparablePath(location: string, path: string): string {
  return foldPath([...partsOf(location), ...path.split('/')], location)
}

/** Whether a pattern of `pathPatterns` may name a file of `comparablePath`. */
export function mayName(pattern: string, file: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS) return true
  return matchText(pattern, file)
}

/** Whether a text is one that some tool expands. */
export function isPattern(value: string): boolean {
  return /[*?[{(\\]/.test(value)
}

/** A text without groups in braces, in which `*` stands for everything else in it that is a pattern. */
export function widen(text: string): string {
  return text.replace(/[@!+?*]?\(.*\)|\[[^/]*\]|\?/gs, '*')
}

/** Whether a step up follows a wildcard, or hides in one (`[.][.]`, `.*`, `@(..|a)`): it may lead anywhere. */
function mayClimb(text: string): boolean {
  const parts = text.split(/[/\\]/)
  const first = parts.findIndex((part) => isPattern(part))
  if (first < 0) return false
  if (/\([^)]*\.\.[^)]*[/\\]|\([^)]*[/\\][^)]*\.\./.test(text)) return true
  return parts.some(
    (part, index) =>
      (part === '..' && index > first) ||
      (isPattern(part) && /^(?!\*[^(])[.*?[\]()!@+|^]+$/.test(part) && part.includes('.')),
  )
}

function foldPath(parts: readonly string[], location: string): string {
  return foldParts(parts, location).join('/')
}

/** Folds the parts of a path. On a drive, what follows a colon names a stream of the same file. */
export function foldParts(parts: readonly string[], location: string): readonly string[] {
  const onDrive = /^[a-z]:/i.test(location)
  return parts.map((part, index) => foldPart(onDrive && index > 0 ? part.replace(/:.*$/s, '') : part))
}

/** A protected file, by its folder and its name in it. */
export interface ProtectedPath {
  readonly folder: string
  readonly name: string
  /** Whether the folder is only the end of its path: the file is relative to a working folder that is not known. */
  readonly isPartial: boolean
}

/** Reads the path of a protected file. */
export function readProtectedPath(file: string, cwd: string | undefined): ProtectedPath {
  const isAbsolute = /^[/\\]|^[a-z]:[/\\]/i.test(file)
  const parts = resolved([], isAbsolute || cwd === undefined ? file : `${cwd}/${file}`)
  const folder = parts.slice(0, -1).join('/')
  return {
    folder: /^[a-z]:/i.test(folder) ? folder : `/${folder}`,
    name: parts.at(-1) ?? file,
    isPartial: !isAbsolute && cwd === undefined,
  }
}
