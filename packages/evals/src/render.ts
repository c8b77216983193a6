import { showInvisible } from '@repertoire/core'
import type { EvalSummary, PairedDifference, Rate } from './summarise.ts'

/** Returns a summary as Markdown that also reads well in a terminal. Nothing in it is markup of a run. */
export function renderMarkdown({ runs, errors, skills, confusion, usage, cost, misses }: EvalSummary): string {
  const { requests, inputTokens, outputTokens } = usage
  const wrong = confusion.filter(({ expected, activated }) => activated !== 'none' && activated !== expected)
  const tokens = `${inputTokens} + ${outputTokens} tokens${cost === undefined ? '' : ` · cost ${cost.toFixed(4)}`}`
  const parts = [
    table(
      ['skill', 'model', 'triggered', 'falsely triggered', 'passed', 'with − without'],
      skills.map(({ skill, adapter, model, triggered, falselyTriggered, passed, helped }) => [
        ...[skill, `${model}, ${adapter}`].map(escape),
        ...[triggered, falselyTriggered, passed].map(rateText),
        differenceText(helped),
      ]),
    ),
    misses.map(({ case: id, attempt, fate, reason, advice = '' }) =>
      `- ${escape(`${id}, run ${attempt}: ${fate}. ${reason} ${advice}`)}`.trimEnd(),
    ),
    wrong.map(
      ({ expected, activated, count }) => `- ${escape(`Expected ${expected}, activated ${activated}: ${count}×`)}`,
    ),
    [`${runs} runs, ${errors} failed · ${requests} model calls · ${tokens}`],
  ]
  const shown = parts.filter((lines) => lines.length > 0)
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]!.length)))
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...rows].map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`)
}

function rateText(rate: Rate | undefined): string {
  if (rate === undefined) return '–'
  return `${rate.hits}/${rate.total} = ${percent(rate.rate)} % (${percent(rate.low)}–${percent(rate.high)})`
}

function differenceText(helped: PairedDifference | undefined): string {
  if (helped === undefined) return '–'
  const { difference, low, high, pairs } = helped
  return `${difference < 0 ? '' : '+'}${percent(difference)} points (${percent(low)} to ${percent(high)}), ${pairs} pairs`
}

function percent(value: number): string {
  return (value * 100).toFixed(0)
}

function escape(text: string): string {
  const clean = showInvisible(text).slice(0, 600)
  return clean.replace(/[\\`*_{}[\]<>|#!@&]/g, String.raw`\$&`)
}
