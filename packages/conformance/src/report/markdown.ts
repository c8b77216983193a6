import { showInvisible } from '@repertoire/core'
import { areasOf, markOf, notesOf, totalsOf, variantsOf } from './matrix.ts'
import { factsOf, type Report, type Result } from './report.ts'

/**
 * A report as Markdown: a table of totals first, and in which variants each adapter was run; then a table for each
 * area; then a numbered note for everything that is more than a pass.
 */
export function renderMarkdown(report: Report): string {
  const columns = report.adapters.map(escaped)
  const variants = report.adapters.map((adapter) => variantsOf(report, adapter))
  const notes = notesOf(report)
  const numbers = new Map<Result, number[]>()
  for (const [index, { results }] of notes.entries())
    for (const result of results) numbers.set(result, [...(numbers.get(result) ?? []), index + 1])

  const cell = (result: Result | undefined): string => {
    if (result === undefined) return ''
    const text = [markOf(result), result.aspects?.join(', ')].filter(Boolean).join(' ')
    return numbers.has(result) ? `${text} <sup>${numbers.get(result)!.join(', ')}</sup>` : text
  }
  const facts = [
    ...report.adapters.flatMap((adapter, at) =>
      variants[at]!.length === 0 ? [] : `**${escaped(adapter)}** in ${variants[at]!.map(escaped).join(', ')}`,
    ),
    ...factsOf(report).map(escaped),
  ]
  const sections = [
    ['# Conformance'],
    table(1, [
      ['', ...columns],
      ...totalsOf(report).map(({ mark, word, counts }) => [`${mark} ${word}`, ...counts.map(String)]),
      ['variants', ...variants.map(({ length }) => String(length))],
    ]),
    facts.map((text) => `- ${text}`),
    ...areasOf(report).flatMap(({ area, rows }) => [
      [`## ${escaped(area)}`],
      table(3, [
        ['Check', 'Demands', 'Level', ...columns],
        ...rows.map(({ check, cells }) => [escaped(check.id), escaped(check.title), check.level, ...cells.map(cell)]),
      ]),
    ]),
    notes.length === 0 ? [] : ['## Notes'],
    notes.map(({ mark, adapter, results, text }, index) => {
      const ids = results.map(({ id }) => escaped(id)).join(', ')
      return `${index + 1}. ${mark} **${escaped(adapter)}**, ${ids}: ${escaped(text)}`
    }),
  ]
  return `${sections.flatMap((lines) => (lines.length === 0 ? [] : lines.join('\n'))).join('\n\n')}\n`
}

/** A Markdown table: the first columns are left-aligned, the others are centred. */
function table(leftColumns: number, [heads = [], ...rows]: readonly (readonly string[])[]): readonly string[] {
  const rule = heads.map((_, index) => (index < leftColumns ? ':--' : ':-:'))
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}

/** Escapes text, so that nothing in it is markup and it stays on one line. */
function escaped(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) =>
      showInvisible(line).replace(/[\\`*_[\]<>|~#&]/g, (character) => ENTITIES.get(character) ?? `\\${character}`),
    )
    .join('<br>')
}

/** Characters that a backslash does not escape everywhere. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
])
