import { showInvisible } from '@repertoire/core'
import { byReason, MARKS, matrixOf, STATUSES } from './matrix.ts'
import type { Report, Result } from './report.ts'

/** A report as Markdown: totals first, then a table for each area, then a numbered note for everything that did not pass. */
export function renderMarkdown(report: Report): string {
  const { adapters, areas, totals } = matrixOf(report)
  const groups = byReason(report.results.filter(({ status }) => status !== 'pass'))
  const noteOf = new Map<Result, number>()
  for (const [index, { results }] of groups.entries()) for (const result of results) noteOf.set(result, index + 1)

  const cell = (result: Result | undefined): string => {
    if (result === undefined) return ''
    const note = noteOf.get(result)
    return note === undefined ? MARKS[result.status] : `${MARKS[result.status]} <sup>${note}</sup>`
  }
  const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string[] => [
    tableRow([...heads, ...adapters.map(escaped)]),
    tableRow([...heads.map(() => ':--'), ...adapters.map(() => ':-:')]),
    ...rows.map(tableRow),
  ]

  const lines = [
    '# Conformance',
    '',
    ...table(
      [''],
      STATUSES.map((status) => [`${MARKS[status]} ${status}`, ...totals.map((total) => String(total[status]))]),
    ),
    ...areas.flatMap(({ area, rows }) => [
      '',
      `## ${escaped(area)}`,
      '',
      ...table(
        ['Check', 'Level'],
        rows.map(({ check, cells }) => [
          `${escaped(check.title)} (${escaped(check.id)})`,
          check.level,
          ...cells.map(cell),
        ]),
      ),
    ]),
    ...(groups.length === 0 ? [] : ['', '## Notes', '']),
    ...groups.map(({ adapter, status, reason, results }, index) => {
      const ids = results.map(({ id }) => escaped(id)).join(', ')
      return `${index + 1}. ${MARKS[status]} **${escaped(adapter)}**, ${ids}: ${escaped(reason)}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Text as text: nothing in it is markup, and it stays in its line. */
function escaped(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) =>
      showInvisible(line).replace(/[\\`*_[\]<>|~#&]/g, (character) => ENTITIES.get(character) ?? `\\${character}`),
    )
    .join('<br>')
}

/** Characters that a backslash does not disarm everywhere. */
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['&', '&amp;'],
])
