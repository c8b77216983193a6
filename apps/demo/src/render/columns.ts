import { padTo, visible, wrap } from 'repertoire/terminal'
import { type DemoEvent, eventsOf } from '../events.ts'
import type { AdapterRecord } from '../record.ts'
import { clip, type Screen } from './lines.ts'
import { detailsOf, labelOf, type Mark, markOf } from './words.ts'

const SEPARATOR = ' │ '
const CROSSING = '─┼─'
const INDENT = 3
/** Lines of one event, where a column is narrow. */
const MAX_LABEL_LINES = 2
const MAX_TEXT_LINES = 6
const EXTRA_DETAIL_LINES = 2

/** A line of a column, before it is filled up and coloured. */
interface Piece {
  readonly text: string
  readonly color?: (text: string) => string
}

/**
 * One column per adapter with its events, equal steps side by side: for runs whose models decided differently.
 * The answers are side by side at the end.
 */
export function columns(records: readonly AdapterRecord[], { width, paint }: Screen): string {
  const columnWidth = Math.max(12, Math.floor((width - SEPARATOR.length * (records.length - 1)) / records.length))
  const stepsOf = records.map(steps)
  const most = Math.max(...stepsOf.map(({ length }) => length))
  const names = sideBySide(records.map(({ adapter }) => [{ text: adapter, color: paint.bold }]))
  const blocks = Array.from({ length: most }, (_, index) => sideBySide(stepsOf.map((each) => each[index] ?? [])))
  const answers = sideBySide(records.map(ending))
  const rule = paint.dim(records.map(() => '─'.repeat(columnWidth)).join(CROSSING))
  return [...names, rule, ...blocks.flat(), rule, ...answers].map((line) => `${line.trimEnd()}\n`).join('')

  function sideBySide(cells: readonly (readonly Piece[])[]): readonly string[] {
    const height = Math.max(...cells.map(({ length }) => length))
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((cell) => {
          const { text, color = asIs } = cell[line] ?? { text: '' }
          return color(padTo(text, columnWidth))
        })
        .join(paint.dim(SEPARATOR)),
    )
  }

  /** The pieces of each step of one adapter, from the first on. */
  function steps(record: AdapterRecord): readonly (readonly Piece[])[] {
    const events = eventsOf(record)
    return record.requests.map((_, index) =>
      events
        .filter(({ step }) => step === index + 1)
        .flatMap((event, place) => pieces(event, place === 0 ? String(index + 1) : '')),
    )
  }

  function pieces(event: DemoEvent, number: string): readonly Piece[] {
    if (event.type === 'say') {
      const said = clip(labelOf(event), columnWidth - INDENT, MAX_TEXT_LINES)
      return said.map((line, index) => ({ text: padTo(index === 0 ? number : '', INDENT) + line, color: paint.italic }))
    }
    const { tone, text } = markOf(event)
    const [sign = ''] = text
    const label = clip(`${sign} ${labelOf(event)}`, columnWidth - INDENT, MAX_LABEL_LINES)
    const consent = event.type === 'call' ? event.consent : undefined
    return [
      ...label.map((line, index) => ({
        text: padTo(index === 0 ? number : '', INDENT) + line,
        color: toneColor(tone),
      })),
      ...(consent === undefined ? [] : [piece(`? asked: ${consent.approved ? 'yes' : 'no'}`, paint.cyan)]),
      ...detailsOf(event).flatMap((detail) =>
        clip(detail.text, columnWidth - INDENT - 2, detail.most + EXTRA_DETAIL_LINES).map((line) =>
          piece(`  ${line}`, paint.dim),
        ),
      ),
    ]
  }

  function toneColor(tone: Mark['tone']): (text: string) => string {
    if (tone === 'good') return paint.green
    return tone === 'no' ? paint.yellow : paint.red
  }

  function ending({ answer, failure = '' }: AdapterRecord): readonly Piece[] {
    const text = (answer ?? failure).trim() || '(no words)'
    const lines = text.split(/\r?\n/).flatMap((line) => wrap(visible(line.replaceAll('\t', '  ')), columnWidth))
    const head =
      answer === undefined ? { text: '✗ failed', color: paint.red } : { text: '✓ answers', color: paint.green }
    return [head, ...lines.map((line) => ({ text: line }))]
  }
}

function piece(text: string, color: (text: string) => string): Piece {
  return { text: ' '.repeat(INDENT) + text, color }
}

function asIs(text: string): string {
  return text
}
