const MARK = '    | '

/**
 * Breaks the lines of a question at the width of a terminal, between words if it can. What continues a line begins with
 * a mark, so that no text in the question, padded as it may be, looks like one of its lines.
 * @param columns undefined: the width is not known, as without a terminal, and the text stays as it is
 */
export function markLines(text: string, columns: number | undefined): string {
  if (columns === undefined || columns <= MARK.length + 1) return text
  return text
    .split('\n')
    .map((line) => broken(line, columns).join(`\n${MARK}`))
    .join('\n')
}

function broken(line: string, columns: number): readonly string[] {
  const parts: string[] = []
  let [part, width] = ['', 0]
  for (const character of line) {
    const own = columnsOf(character)
    if (width + own > columns) {
      const end = part.lastIndexOf(' ') + 1
      const word = part.slice(end)
      // A word stays whole if it fits on a line.
      const isWhole = end > 0 && MARK.length + columnsOf(word) + own <= columns
      parts.push(isWhole ? part.slice(0, end) : part)
      part = isWhole ? word : ''
      width = MARK.length + columnsOf(part)
    }
    part += character
    width += own
  }
  return [...parts, part]
}

/** The most columns that a text takes: no terminal gives a character more than two. */
function columnsOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character > '~' ? 2 : 1), 0)
}
