import { foldPart } from '../inside.ts'
import { matchParts } from '../glob.ts'
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
