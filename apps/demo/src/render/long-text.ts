import { visible, visibleLine, wrap } from 'repertoire/terminal'
import type { LongRecord, LongResult } from '../long/play.ts'
import type { Screen } from './lines.ts'
import { leadText, paragraph } from './paragraphs.ts'

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
      ...paragraph('Window', `${figure(window)} tokens; the older part of the conversation becomes a summary`, screen),
    ].join('\n'),
    adapters.flatMap((record) => wrap(lineOf(record, width0), width)).join('\n'),
    end,
  ]
    .map((block) => `${block}\n`)
    .join('\n')
}

function lineOf(record: LongRecord, width: number): string {
  const { adapter, steps, summaries, largest, unsummarized, failure } = record
  const name = adapter.padEnd(width)
  if (failure !== undefined) return `${name}  failed: ${visibleLine(failure)}`
  return `${name}  ${steps} steps, ${summaries} summaries; at most ${figure(largest)} tokens in a request, and ${figure(unsummarized)} without`
}

function figure(tokens: number): string {
  return Math.round(tokens).toLocaleString('en-US')
}
