import { showInvisible } from '@repertoire/core'

/** A Markdown table: the first column (or the given number) is left-aligned, the others are centred. */
export function tableOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  leftColumns = 1,
): readonly string[] {
  return [
    tableRow(heads),
    tableRow(heads.map((_, index) => (index < leftColumns ? ':--' : ':-:'))),
    ...rows.map(tableRow),
  ]
}

/** Escapes text, so that nothing in it is markup and it stays on one line. */
export function escaped(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) =>
      showInvisible(line).replace(/[\\`*_[\]<>|~#&]/g, (character) => ENTITIES.get(character) ?? `\\${character}`),
    )
    .join('<br>')
}

/** Markdown text in bold. */
export function bold(markdown: string): string {
  return markdown === '' ? '' : `**${markdown}**`
}

/** Characters that a backslash does not escape everywhere. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
])

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
