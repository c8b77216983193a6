import { showInvisible } from '@repertoire/core'
import type { EvalSummary, PairedDifference, Rate } from './summarise.ts'

/** Returns a summary as text for a terminal. */
export function renderTable(summary: EvalSummary): string {
  return render(summary, (head, rows) => {
    const widths = head.map((title, at) =>
      Math.max(...[title, ...rows.map((row) => row[at]!)].map((each) => each.length)),
    )
    return [head, ...rows].map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
  })
}

/** Returns a summary as Markdown, for a pull request. Nothing in it is markup of a run. */
export function renderMarkdown(summary: EvalSummary): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escape).join(' | ')} |`
  return render(summary, (head, rows) => [line(head), line(head.map(() => '---')), ...rows.map(line)], escape)
}

type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => readonly string[]

function render(
  { runs, errors, skills, confusion, usage, cost, misses }: EvalSummary,
  table: Table,
  text = clean,
): string {
  const { requests, inputTokens, outputTokens } = usage
  const parts = [
    table(
      ['skill', 'adapter', 'model', 'triggered', 'falsely triggered', 'passed', 'with − without'],
      skills.map((each) => [
        ...[each.skill, each.adapter, each.model].map(clean),
        ...[each.triggered, each.falselyTriggered, each.passed].map(rateText),
        differenceText(each.helped),
      ]),
    ),
    misses.length === 0
      ? []
      : table(
          ['miss', 'run', 'fate', 'reason', 'what could help'],
          misses.map((miss) => [miss.case, String(miss.attempt), miss.fate, miss.reason, miss.advice ?? ''].map(clean)),
        ),
    confusion.some(({ expected, activated }) => expected !== activated)
      ? table(
          ['expected', 'activated', 'runs'],
          confusion.map(({ expected, activated, count }) => [clean(expected), clean(activated), String(count)]),
        )
      : [],
    [
      text(
        `${runs} runs, ${errors} failed · ${requests} model calls · ${inputTokens} + ${outputTokens} tokens` +
          (cost === undefined ? '' : ` · cost ${cost.toFixed(4)}`),
      ),
    ],
  ]
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function rateText(rate: Rate | undefined): string {
  if (rate === undefined) return '–'
  const { hits, total, low, high } = rate
  return `${hits}/${total} = ${percent(rate.rate)} % (${percent(low)}–${percent(high)})`
}

function differenceText(helped: PairedDifference | undefined): string {
  if (helped === undefined) return '–'
  const { difference, low, high, pairs } = helped
  return `${difference < 0 ? '' : '+'}${percent(difference)} points (${percent(low)} to ${percent(high)}), ${pairs} pairs`
}

function percent(value: number): string {
  return (value * 100).toFixed(0)
}

function clean(text: string): string {
  return showInvisible(text).slice(0, 300)
}

function escape(text: string): string {
  return clean(text).replace(/[\\`*_{}[\]<>|#!@&]/g, String.raw`\$&`)
}
