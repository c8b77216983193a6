const MARK = '    | '

/**
 * Breaks the lines of a question at the width of a terminal. What continues a line begins with a mark, so that no text in
 * the question, padded as it may be, looks like one of its lines.
 * @param columns undefined: the width is not known, as where there is no terminal, and the text stays as it is
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
    // No terminal gives a character more than two columns.
    const own = character > '~' ? 2 : 1
    if (width + own > columns) {
      parts.push(part)
      part = ''
      width = MARK.length
    }
    part += character
    width += own
  }
  return [...parts, part]
}
