/** How many lines are shown before and after the first line that differs. */
const CONTEXT_LINES = 2
/** How many characters of a line are shown. */
const MAX_LINE_CHARS = 160
/** How many of them come before the first character that differs. */
const CONTEXT_CHARS = 60

/**
 * Returns the lines around the first difference of two texts: the expected line marked `-`, the one that was seen
 * marked `+`, with a caret below where they part. A few lines around it are the same in both, or those of the expected
 * text.
 */
export function firstDifference(seen: string, expected: string): string {
  const [seenLines, expectedLines] = [seen.split('\n'), expected.split('\n')]
  const at = firstIndex(seenLines, expectedLines)
  const [one, other] = [expectedLines[at], seenLines[at]]
  const column = one === undefined || other === undefined ? 0 : firstIndex(Array.from(other), Array.from(one))
  const width = String(at + 1 + CONTEXT_LINES).length
  const line = (mark: string, index: number, text: string): string =>
    `  ${mark} ${String(index + 1).padStart(width)} | ${text}`
  const context = (from: number, to: number): string[] =>
    expectedLines.slice(from, to).map((text, index) => line(' ', from + index, around(text, 0).text))
  const [minus, plus] = [one, other].map((text) => (text === undefined ? undefined : around(text, column)))
  const caret = plus ?? minus
  return [
    ...context(Math.max(0, at - CONTEXT_LINES), at),
    line('-', at, minus?.text ?? '(the end)'),
    line('+', at, plus?.text ?? '(the end)'),
    ...(minus === undefined || plus === undefined ? [] : [`    ${' '.repeat(width)} | ${' '.repeat(caret?.at ?? 0)}^`]),
    ...context(at + 1, at + 1 + CONTEXT_LINES),
  ].join('\n')
}

/** A line cut to the part around a column, counted in characters, and where the column is in that part. */
function around(line: string, column: number): { readonly text: string; readonly at: number } {
  const characters = Array.from(line)
  if (characters.length <= MAX_LINE_CHARS) return { text: line, at: column }
  const from = Math.max(0, column - CONTEXT_CHARS)
  const to = from + MAX_LINE_CHARS
  const [before, after] = [from > 0 ? '…' : '', to < characters.length ? '…' : '']
  return { text: `${before}${characters.slice(from, to).join('')}${after}`, at: column - from + before.length }
}

/** The index of the first item that differs between two lists. */
function firstIndex(seen: readonly string[], expected: readonly string[]): number {
  let at = 0
  while (at < seen.length && at < expected.length && seen[at] === expected[at]) at += 1
  return at
}
