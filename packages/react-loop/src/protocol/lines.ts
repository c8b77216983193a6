/** A line of a text. */
export interface Line {
  readonly text: string
  /** Its offset in the whole text. */
  readonly start: number
  /** Whether it belongs to fenced code, the fences included. */
  readonly inCode: boolean
  /** The fence that is open after it, such as three backticks; undefined if none is. */
  readonly fence: string | undefined
}

/**
 * The lines of a text from an offset. Only `\n` ends a line. Fences are those of CommonMark 0.31, "Fenced code blocks";
 * a fence that is never closed extends to the end, so that nothing after it counts.
 */
export function* linesOf(source: string, from = 0): Generator<Line, undefined> {
  let fence: string | undefined
  for (let start = from; start < source.length;) {
    const newline = source.indexOf('\n', start)
    const end = newline === -1 ? source.length : newline
    const text = source.slice(start, end)
    // A thought may begin with code: "Thought: ```".
    const [, marks = '', info = ''] = /^(?:Thought:[ \t]*)? {0,3}(`{3,}|~{3,})(.*)$/s.exec(text) ?? []
    const before = fence
    if (fence === undefined) {
      if (marks !== '' && !(marks[0] === '`' && info.includes('`'))) fence = marks
    } else if (marks.startsWith(fence) && info.trim() === '') fence = undefined
    yield { text, start, inCode: before !== undefined || fence !== undefined, fence }
    start = end + 1
  }
  return undefined
}
