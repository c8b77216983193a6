import { visible, visibleLine, wrap } from 'repertoire/terminal'
import type { Screen } from './lines.ts'
import { leadText, paragraph } from './paragraphs.ts'
import type { LongRecord, LongResult } from '../long/result.ts'

/** Core's default share of the window above which the oldest messages become a summary. */
const SUMMARY_SHARE = 0.8

/** The long conversation for a terminal: what each adapter sent at most, and what it would have sent. */
export function longText({ task, window, adapters, held }: LongResult, screen: Screen): string {
  const { paint, width } = screen
  const width0 = Math.max(...adapters.map(({ adapter }) => adapter.length))
  const end = held
    ? paint.bold(
        paint.green('✓ Every request keeps to the window, and shows the instructions of the active skill once.'),
      )
    : paint.bold(paint.red('✗ Not every adapter came to its end within the window, with its skill.'))
  return [
    leadText(adapters.length, screen),
    [
      ...paragraph('Task', visible(task), screen),
      ...paragraph('Model', 'a script, over HTTP on this machine: no key, no network', screen),
      ...paragraph(
        'Window',
        `${figure(window)} tokens, counted as a quarter of the characters. A request over ${figure(SUMMARY_SHARE * window)} has its older part replaced by a summary, so every request fits.`,
        screen,
      ),
    ].join('\n'),
    adapters.flatMap((record) => wrap(lineOf(record, width0, window), width)).join('\n'),
    end,
  ]
    .map((block) => `${block}\n`)
    .join('\n')
}

function lineOf(record: LongRecord, width: number, window: number): string {
  const { adapter, steps, summaries, largest, unsummarized, failure } = record
  const name = adapter.padEnd(width)
  if (failure !== undefined) return `${name}  failed: ${visibleLine(failure)}`
  return `${name}  ${steps} steps, ${summaries} summaries; largest request ${figure(largest)} tokens; all of it ${figure(unsummarized)} (${(unsummarized / window).toFixed(1)} windows)`
}

function figure(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US')
}
