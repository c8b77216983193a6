import { foldPart } from '../inside.ts'
import { matchParts } from '../glob.ts'
import { MAX_EXPANSIONS } from '../limits.ts'
import { VARIABLE } from '../shell/variables.ts'

/** Settings with which a shell's wildcards match dots at the beginning of a name. */
const DOTS = /dotglob|glob_?dots|\*\(\w*D/i

/** Whether wildcards match a dot at the beginning of a name, by the text of a command. */
export function matchesDots(text: string): boolean {
  return DOTS.test(text)
}

/** A pattern in which a group is `*`, and a set of letters `?`. */
export function simplify(text: string): string {
  return text.replace(/[@!+?*]\(.*\)/gs, '*').replaceAll(SET, '?')
}

/** A set of letters holds one, so `[]` is none. */
const SET = /\[[!^]?\]?(?:\[:\w+:\]|[^\]/])*\]/g

/** Whether a shell may expand a part of a path to a name, which is folded. A variable may hold a dot too. */
export function mayExpandPart(part: string, name: string, dots: boolean): boolean {
  if (!dots && name.startsWith('.') && /^[*?]/.test(part)) return false
  return matchParts([{ text: foldPart(part.replaceAll(VARIABLE, '*')) }], [name])
}

/** The texts that the groups in braces give, inner groups first; undefined where they are too many. */
export function alternatives(values: readonly string[]): readonly string[] | undefined {
  // One without a comma is a range, or literal.
  return expandGroups(values, (inner) => (inner.includes(',') ? inner.split(',') : ['*']))
}

/**
 * The words that a shell makes of one with groups in braces; undefined where they are too many. Braces without a comma
 * or a range in them stand for themselves.
 */
export function expandBraces(word: string): readonly string[] | undefined {
  return expandGroups([word], shellChoices)?.map((text) => text.replaceAll(OPENS, '{').replaceAll(CLOSES, '}'))
}

function expandGroups(
  values: readonly string[],
  choicesOf: (inner: string) => readonly string[],
): readonly string[] | undefined {
  let texts = values
  while (texts.some((text) => INNERMOST.test(text))) {
    texts = texts.flatMap((text) => {
      const [group, inner = ''] = INNERMOST.exec(text) ?? []
      return group === undefined ? [text] : choicesOf(inner).map((choice) => text.replace(group, () => choice))
    })
    if (texts.length > MAX_EXPANSIONS) return undefined
  }
  return texts
}

const INNERMOST = /\{([^{}]*)\}/

/** Stand for braces that are not a group, while groups are looked for. No name of a file holds them. */
const OPENS = '\x01'
const CLOSES = '\x02'

function shellChoices(inner: string): readonly string[] {
  if (inner.includes(',')) return inner.split(',')
  const [, first, last] = /^(-?\d{1,9}|[a-z])\.\.(-?\d{1,9}|[a-z])$/i.exec(inner) ?? []
  if (first === undefined || last === undefined) return [inner.includes('..') ? '*' : `${OPENS}${inner}${CLOSES}`]
  const isLetters = [first, last].every((end) => /[a-z]/i.test(end))
  const [from, to] = [first, last].map((end) => (isLetters ? end.charCodeAt(0) : Number(end))).toSorted((a, b) => a - b)
  // Numbers may be filled up with zeros.
  const isFilled = [first, last].some((end) => /^-?0\d/.test(end))
  if (isFilled || from === undefined || to === undefined || !(to - from < MAX_EXPANSIONS)) return ['*']
  return Array.from({ length: to - from + 1 }, (_, index) => {
    return isLetters ? String.fromCharCode(from + index) : String(from + index)
  })
}
