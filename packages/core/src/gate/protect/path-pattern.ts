import { MAX_PATTERN_CHARS, matchText } from '../index.ts'
import { foldPart, partsOf, pathReadings } from '../../resources/inside.ts'

/** Patterns that one argument is compared as at the most; one that stands for more is taken to name everything. */
const MAX_PATTERNS = 100

const EVERYTHING = '*'

/**
 * What a glob pattern may stand for, as absolute paths in which `*` is any text, slashes included. Tools differ in what
 * `*`, `[a]`, `{a,b}` and `@(a)` are and in whether `*.sh` looks into folders: every reading counts, since this is for
 * refusing. A path without a pattern in it stands for itself.
 * @param location the folder that the paths are compared with, see `comparable`
 * @param cwd absent: unknown
 */
export function pathPatterns(value: string, location: string, cwd: string | undefined): readonly string[] {
  // A backslash is a separator to some and keeps the next letter as it is to others.
  const read = [...new Set([value, value.replaceAll('\\', '')])]
  const written = value.length > MAX_PATTERN_CHARS ? undefined : alternatives(read)
  if (written === undefined || written.some(mayClimb)) return [EVERYTHING]
  const found = new Set<string>()
  for (const plain of written) {
    const text = widened(plain).replace(/\*+/g, '*')
    const readings = pathReadings(text, location, cwd)
    // Taken from the root as well, a relative `**/*.py` would name every file there is.
    const begins = /^\s*(?:[/\\]|[a-z][a-z\d+.-]*:)/i.test(text) ? readings : readings.slice(1)
    // A whole part may be `**`, which no part at all is enough for.
    for (const parts of begins) found.add(folded(parts, location).replace(/(?<=^|\/)\*\//g, '*'))
    if (found.size > MAX_PATTERNS) return [EVERYTHING]
  }
  return [...found]
}

/** A file of a folder as `mayName` compares it. */
export function comparable(location: string, path: string): string {
  return folded([...partsOf(location), ...path.split('/')], location)
}

/** Whether a pattern of `pathPatterns` may name a file of `comparable`. */
export function mayName(pattern: string, file: string): boolean {
  if (pattern.length > MAX_PATTERN_CHARS) return true
  // Most differ at an end, and that is seen without a walk.
  const [begin = '', ...rest] = pattern.split('*')
  return file.startsWith(begin) && (rest.length === 0 || file.endsWith(rest.at(-1)!)) && matchText(pattern, file)
}

/** Whether a text is one that some tool expands. */
export function isPattern(value: string): boolean {
  return /[*?[{(\\]/.test(value)
}

/** A text without groups in braces, in which `*` stands for all that a pattern holds else. */
export function widened(text: string): string {
  return text.replace(/[@!+?*]?\(.*\)|\[[^/]*\]|\?/gs, '*')
}

/** The texts that the groups in braces give, inner groups first; undefined where they are too many. */
export function alternatives(values: readonly string[]): readonly string[] | undefined {
  let texts = values
  while (texts.some((text) => INNERMOST.test(text))) {
    texts = texts.flatMap((text) => {
      const group = INNERMOST.exec(text)
      if (group === null) return [text]
      const [whole, inner = ''] = group
      // One without a comma is a range, or stands for itself.
      const choices = inner.includes(',') ? inner.split(',') : ['*']
      return choices.map((choice) => text.replace(whole, () => choice))
    })
    if (texts.length > MAX_PATTERNS) return undefined
  }
  return texts
}

const INNERMOST = /\{([^{}]*)\}/

/**
 * The words that a shell makes of one with groups in braces; undefined where they are too many. A group without a comma
 * or a range is none, and stands for itself.
 */
export function braced(word: string): readonly string[] | undefined {
  let texts: readonly string[] = [word]
  while (texts.some((text) => INNERMOST.test(text))) {
    texts = texts.flatMap((text) => {
      const group = INNERMOST.exec(text)
      if (group === null) return [text]
      const before = text.slice(0, group.index)
      const after = text.slice(group.index + group[0].length)
      return choicesOf(group[1]!).map((choice) => before + choice + after)
    })
    if (texts.length > MAX_PATTERNS) return undefined
  }
  return texts.map((text) => text.replaceAll(OPENS, '{').replaceAll(CLOSES, '}'))
}

/** Braces that are no group, while others are looked for. No name of a file holds them. */
const OPENS = '\x01'
const CLOSES = '\x02'

function choicesOf(inner: string): readonly string[] {
  if (inner.includes(',')) return inner.split(',')
  const [, first, last] = /^(-?\d{1,9}|[a-z])\.\.(-?\d{1,9}|[a-z])$/i.exec(inner) ?? []
  if (first === undefined || last === undefined) return [inner.includes('..') ? '*' : `${OPENS}${inner}${CLOSES}`]
  const isLetters = [first, last].every((end) => /[a-z]/i.test(end))
  const [from, to] = [first, last].map((end) => (isLetters ? end.charCodeAt(0) : Number(end))).toSorted((a, b) => a - b)
  // Numbers may be filled up with zeros.
  const isFilled = [first, last].some((end) => /^-?0\d/.test(end))
  if (isFilled || from === undefined || to === undefined || !(to - from < MAX_PATTERNS)) return ['*']
  return Array.from({ length: to - from + 1 }, (_, index) => {
    return isLetters ? String.fromCharCode(from + index) : String(from + index)
  })
}

/** Whether a step up stands behind a wildcard, or hides in one (`[.][.]`, `.*`, `@(..|a)`): it may lead anywhere. */
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

function folded(parts: readonly string[], location: string): string {
  const onDrive = /^[a-z]:/i.test(location)
  return parts.map((part, index) => foldPart(onDrive && index > 0 ? part.replace(/:.*$/s, '') : part)).join('/')
}
