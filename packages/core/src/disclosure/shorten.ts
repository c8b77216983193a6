import { isBlank } from '../text/blank.ts'

/**
 * Returns a text of at most `maxChars` UTF-16 code units: the text itself, or its beginning with an ellipsis. It is cut
 * at the end of a word, unless that would remove more than half of it, as in languages that are written without spaces.
 */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const room = Math.max(0, maxChars - 1)
  let gap = room
  while (gap * 2 > room && !isBlank(text.charCodeAt(gap))) gap--
  const cut = gap * 2 > room ? gap : withoutHalf(text, room)
  // A loop, since a regular expression that ends in `+$` takes quadratic time on a run of blanks.
  let end = cut
  while (end > 0 && isTrailing(text.charCodeAt(end - 1))) end--
  return `${text.slice(0, end)}…`
}

/** Returns where to cut, so that no half of a pair of units is left. */
function withoutHalf(text: string, end: number): number {
  const last = end === 0 ? 0 : text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** Removed at the end of a shortened text: blanks, and joiners and variation selectors that belong to what was cut. */
function isTrailing(code: number): boolean {
  return isBlank(code) || code === 0x200c || code === 0x200d || (code >= 0xfe00 && code <= 0xfe0f)
}
