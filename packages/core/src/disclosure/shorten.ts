/** What must not stand at a cut's end: blanks, and joiners and variation selectors that belong to what was cut off. */
const LOOSE = /\s|\u200C|\u200D|[\uFE00-\uFE0F]/

/**
 * The beginning of a text, at most `most` UTF-16 code units long with the ellipsis that ends it. It ends at the end of
 * a word, unless that would cost more than half of it, as in languages that are written without spaces.
 */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text
  const room = Math.max(0, most - 1)
  const isWordEnd = /\s/.test(text.charAt(room))
  const head = text.slice(0, room)
  const lastGap = isWordEnd ? room : head.search(/\s\S*$/)
  const cut = lastGap * 2 > room ? head.slice(0, lastGap) : head.replace(/[\uD800-\uDBFF]$/, '')
  // Not by an expression that ends in `+$`: its time grows with the square of a run of blanks.
  let end = cut.length
  while (end > 0 && LOOSE.test(cut.charAt(end - 1))) end--
  return `${cut.slice(0, end)}…`
}
