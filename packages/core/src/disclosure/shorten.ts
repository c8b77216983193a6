/** Removed at the end of a shortened text: blanks, and joiners and variation selectors that belong to what was cut. */
const TRAILING = /\s|\u200C|\u200D|[\uFE00-\uFE0F]/

/**
 * Returns a text of at most `maxChars` UTF-16 code units: the text itself, or its beginning with an ellipsis. It is cut
 * at the end of a word, unless that would remove more than half of it, as in languages that are written without spaces.
 */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const room = Math.max(0, maxChars - 1)
  const isWordEnd = /\s/.test(text.charAt(room))
  const head = text.slice(0, room)
  const lastGap = isWordEnd ? room : head.search(/\s\S*$/)
  const cut = lastGap * 2 > room ? head.slice(0, lastGap) : head.replace(/[\uD800-\uDBFF]$/, '')
  // A loop, since a regular expression that ends in `+$` takes quadratic time on a run of blanks.
  let end = cut.length
  while (end > 0 && TRAILING.test(cut.charAt(end - 1))) end--
  return `${cut.slice(0, end)}…`
}
