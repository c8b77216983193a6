import { MAX_EXPANSIONS, MAX_PATTERN_CHARS } from '../limits.ts'
import { matchText } from './glob.ts'
import { foldPart, partsOf, readingsFromHere } from './inside.ts'

/** The texts that a glob pattern may match, with `*` as its only wildcard; undefined: it may match anything. */
export function expandPattern(value: string): readonly string[] | undefined {
  if (value.length > MAX_PATTERN_CHARS) return undefined
  // A backslash is a separator to some and keeps the next letter as it is to others.
  const expanded = expandBraces([...new Set([value, value.replaceAll('\\', '')])])
  if (expanded === undefined || expanded.some(mayClimb)) return undefined
  return expanded.map((text) => text.replace(/[@!+?*]?\(.*\)|\[[^/]*\]|\?/gs, '*').replace(/\*+/g, '*'))
}

/**
 * What texts of `expandPattern` may name, as absolute paths in which `*` is any text, slashes included. Tools differ in
 * what `*`, `[a]`, `{a,b}` and `@(a)` mean and in whether `*.sh` looks into folders: every reading counts, since this
 * is for refusing.
 * @param location the folder that the paths are compared with, see `comparablePath`
 * @param cwd absent: unknown
 */
export function placePatterns(
  expanded: readonly string[],
  location: string,
  cwd: string | undefined,
): readonly string[] {
  const readings = expanded.flatMap((text) => readingsFromHere(text, location, cwd))
  // A whole part may be `**`, which matches no part at all too.
  return [...new Set(readings.map((parts) => foldPath(parts, location).replace(/(?<=^|\/)\*\//g, '*')))]
}

/** A file of a folder as `mayName` compares it. */
export function comparablePath(location: string, path: string): string {
  return foldPath([...partsOf(location), ...path.split('/')], location)
}

export function mayName(pattern: string, file: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS) return true
  return matchText(pattern, file)
}

export function isPattern(value: string): boolean {
  return /[*?[{(\\]/.test(value)
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

/** The texts that the groups in braces give, inner groups first; undefined if they are too many. */
export function expandBraces(values: readonly string[]): readonly string[] | undefined {
  if (values.some((value) => value.split('{').length > MAX_GROUPS)) return undefined
  let texts = values
  while (texts.some((text) => INNERMOST.test(text))) {
    texts = texts.flatMap((text) => {
      const [group, inner = ''] = INNERMOST.exec(text) ?? []
      if (group === undefined) return [text]
      // A group without a comma is a range, or literal.
      const choices = inner.includes(',') ? inner.split(',') : ['*']
      return choices.map((choice) => text.replace(group, () => choice))
    })
    if (texts.length > MAX_EXPANSIONS) return undefined
  }
  return texts
}

/** A pattern with more groups may match anything. */
const MAX_GROUPS = 20
const INNERMOST = /\{([^{}]*)\}/
