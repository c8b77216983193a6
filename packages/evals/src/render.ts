import { showInvisible } from '@repertoire/core'
import { type EvalSummary, groupBy, type Miss, type PairedDifference, type Rate } from './summarise.ts'

const NOTHING = '–'

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
    groupBy(misses, (miss) => [{ ...miss, attempt: 0 }]).map((same) => {
      const [{ case: id, prompt, adapter, model, fate, reason, advice = '' }] = same as readonly [Miss]
      const of = `${model}, ${adapter}, run ${same.map(({ attempt }) => attempt).join(', ')}`
      return `- ${escape(`${id} "${prompt.slice(0, 80)}" (${of}): ${fate}. ${reason} ${advice}`)}`.trimEnd()
    }),
    wrong.map(
      ({ expected, activated, count }) => `- ${escape(`Expected ${expected}, activated ${activated}: ${count}×`)}`,
    ),
    [`${runs} runs, ${errors} failed · ${requests} model calls · ${tokens}`],
  ]
  const shown = parts.filter((lines) => lines.length > 0)
  return `${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** Leaves out columns without a figure. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const columns = head.flatMap((title, at) => {
    const cells = rows.map((row) => row[at]!)
    if (cells.every((cell) => cell === NOTHING)) return []
    const width = Math.max(title.length, ...cells.map(({ length }) => length))
    return [[title, '-'.repeat(width), ...cells].map((cell) => cell.padEnd(width))]
  })
  return (columns[0] ?? []).map((_, at) => `| ${columns.map((column) => column[at]).join(' | ')} |`)
}

function rateText(rate: Rate | undefined): string {
  if (rate === undefined) return NOTHING
  return `${rate.hits}/${rate.total} = ${percent(rate.rate)} % (${percent(rate.low)}–${percent(rate.high)})`
}

function differenceText(helped: PairedDifference | undefined): string {
  if (helped === undefined) return NOTHING
  const { difference, low, high, pairs } = helped
  return `${difference < 0 ? '' : '+'}${percent(difference)} points (${percent(low)} to ${percent(high)}), pairs: ${pairs}`
}

function percent(value: number): string {
  return (value * 100).toFixed(0)
}

function escape(text: string): string {
  const clean = showInvisible(text).slice(0, 600)
  return clean.replace(/[\\`*_{}[\]<>|#!@&]/g, String.raw`\$&`)
}
