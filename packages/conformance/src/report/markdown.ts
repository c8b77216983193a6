import { anyText, checkOptions, withDefault } from '@repertoire/core/options'
import { escaped, tableOf } from './markdown-table.ts'
import {
  byReason,
  byAbsence,
  byDifference,
  byWorkaround,
  markOf,
  MARKS,
  matrixOf,
  countedStatuses,
  variantsOf,
} from './matrix.ts'
import { hostTexts, leftOutTexts, type Report, type Result } from './report.ts'
import { titleParts } from './title.ts'

/** How a Markdown report is written. */
export interface MarkdownOptions {
  /** The heading; empty: none, for a report inside a document. Default `Conformance`. */
  readonly heading?: string | undefined
}

/**
 * A report as Markdown: totals first, and in which variants each adapter was run; then a table for each area, with what
 * each check demands and of which requirements; then a numbered note for everything that did not pass.
 */
export function renderMarkdown(report: Report, options: MarkdownOptions = {}): string {
  checkOptions<MarkdownOptions>('renderMarkdown', { heading: withDefault('Conformance', anyText) }, options)
  const { heading = 'Conformance' } = options
  const { adapters, areas, totals } = matrixOf(report)
  const groups = byReason(report.results.filter(({ status }) => status !== 'pass'))
  const around = byWorkaround(report.results)
  const partly = byAbsence(report.results)
  const noteOf = new Map<Result, number>()
  for (const [index, { results }] of groups.entries()) for (const result of results) noteOf.set(result, index + 1)
  for (const [index, { results }] of around.entries())
    for (const result of results) noteOf.set(result, groups.length + index + 1)

  for (const [index, { results }] of partly.entries())
    for (const result of results) if (!noteOf.has(result)) noteOf.set(result, groups.length + around.length + index + 1)

  const cell = (result: Result | undefined): string => {
    if (result === undefined) return ''
    const note = noteOf.get(result)
    const mark = [markOf(result), ...differingIn(result)].join(' ')
    return note === undefined ? mark : `${mark} <sup>${note}</sup>`
  }
  const columns = adapters.map(escaped)
  const variants = adapters.flatMap((adapter) => {
    const names = variantsOf(report, adapter)
    return names.length === 0 ? [] : `- **${escaped(adapter)}** in ${names.map(escaped).join(', ')}`
  })

  const lines = [
    ...(heading === '' ? [] : [`# ${escaped(heading)}`, '']),
    ...tableOf(
      ['', ...columns],
      countedStatuses(report).map((status) => [
        `${MARKS[status]} ${status}`,
        ...totals.map((total) => String(total[status])),
      ]),
    ),
    ...(variants.length === 0 ? [] : ['', ...variants]),
    ...hostTexts(report).flatMap((text, index) => [...(index === 0 ? [''] : []), `- ${escaped(text)}`]),
    ...(around.length === 0
      ? []
      : ['', '`(✓)`: passes, and the adapter does what the framework does not do, or not as it is needed.']),
    ...byDifference(report.results).flatMap(({ adapter, reason }, index) => [
      ...(index === 0 ? [''] : []),
      `- **${escaped(adapter)}** differs in all checks: ${escaped(reason)}`,
    ]),
    ...leftOutTexts(report).flatMap((text) => ['', escaped(text)]),
    ...areas.flatMap(({ area, rows }) => [
      '',
      `## ${escaped(area)}`,
      '',
      ...tableOf(
        ['Check', 'Requirement', 'Demands', 'Level', ...columns],
        rows.map(({ check, cells }) => {
          const { requirements, demand } = titleParts(check.title)
          const words = [check.id, requirements.join(', '), demand].map(escaped)
          return [...words, check.level, ...cells.map(cell)]
        }),
        4,
      ),
    ]),
    ...(groups.length + around.length + partly.length === 0 ? [] : ['', '## Notes', '']),
    ...groups.map(({ adapter, status, reason, results }, index) => {
      const ids = results.map(({ id }) => escaped(id)).join(', ')
      return `${index + 1}. ${MARKS[status]} **${escaped(adapter)}**, ${ids}: ${escaped(reason)}`
    }),
    ...around.map(({ adapter, reason, results }, index) => {
      const ids = results.map(({ id }) => escaped(id)).join(', ')
      return `${groups.length + index + 1}. (✓) **${escaped(adapter)}**, ${ids}: ${escaped(reason)}`
    }),
    ...partly.map(({ adapter, reason, results }, index) => {
      const ids = results.map(({ id }) => escaped(id)).join(', ')
      return `${groups.length + around.length + index + 1}. ${MARKS['n/a']} **${escaped(adapter)}**, ${ids}: not ${escaped(reason)}`
    }),
    ...documented(report),
  ]
  return `${lines.join('\n')}\n`
}

/** What the documentation of hosts says, whatever the results are. */
function documented({ results }: Report): readonly string[] {
  const said = results.filter((result) => result.documented !== undefined)
  if (said.length === 0) return []
  const lines = said.map(
    ({ adapter, id, documented: text = '' }) => `- **${escaped(adapter)}**, ${escaped(id)}: ${escaped(text)}`,
  )
  return ['', '## What the documentation says', '', ...lines]
}

/** More aspects than these are not named in a cell. */
const MAX_NAMED = 3

/** The aspects in which a scenario is not as core says, for its cell. */
function differingIn({ status, cells = {} }: Result): readonly string[] {
  if (status === 'pass') return []
  const names = Object.entries(cells).flatMap(([id, cell]) => (cell === 'fail' || cell === 'known' ? [id] : []))
  if (names.length === 0) return []
  return [names.length <= MAX_NAMED ? names.join(', ') : `${names.length} aspects`]
}
