import { padTo, visible, visibleLine, widthOf, wrap } from 'repertoire/terminal'
import { type DemoEvent, eventsOf } from '../events.ts'
import type { AdapterRecord, Consent } from '../record.ts'
import { clip, type Screen } from './lines.ts'
import { type Detail, detailsOf, HIDDEN, labelOf, type Mark, markOf } from './words.ts'

const INDENT = 4
const GAP = 2
const MAX_LABEL_LINES = 3
/** What a row begins with if the adapters differ. */
const DIFFERS = '≠'
const MAX_LABEL_COLUMNS = 56
const MIN_LABEL_COLUMNS = 8
/** From this width on, what the model was shown is next to the marks and not below them. */
const MIN_DETAIL_COLUMNS = 56
/** The order within a step. */
const ORDER = { offer: 0, say: 1000, call: 2000, answer: 3000 } as const

/** One event with its result in each adapter; undefined if an adapter does not have it. */
interface Row {
  readonly step: number
  readonly order: number
  readonly label: string
  readonly cells: (Cell | undefined)[]
}

interface Cell {
  readonly mark: Mark
  readonly details: readonly Detail[]
  readonly consent?: Consent
}

/** One row per event and one column per adapter, for runs whose models do the same. */
export function timeline(records: readonly AdapterRecord[], { width, paint }: Screen): string {
  const rows = rowsOf(records)
  const marks = rows.flatMap((row) => row.cells.map((cell) => cell?.mark.text ?? '–'))
  const widestName = Math.max(...records.map(({ adapter }) => widthOf(adapter)))
  const roomForCell = Math.floor((width - INDENT - MIN_LABEL_COLUMNS - GAP) / records.length)
  const cellWidth = Math.max(...marks.map((mark) => widthOf(mark) + 1), Math.min(widestName + GAP, roomForCell))
  const widest = Math.max(...rows.map(({ label }) => widthOf(label)))
  const available = width - INDENT - cellWidth * records.length
  const labelWidth = Math.max(MIN_LABEL_COLUMNS, Math.min(widest, MAX_LABEL_COLUMNS, available - GAP))
  const tableWidth = INDENT + labelWidth + GAP + cellWidth * records.length
  const isBeside = width - tableWidth >= MIN_DETAIL_COLUMNS
  const detailStart = isBeside ? tableWidth : INDENT + GAP
  let wasAsked = false

  function lines(row: Row, index: number): readonly string[] {
    const number = row.step === rows[index - 1]?.step ? '' : String(row.step)
    const differing = differingColumns(row, records)
    const differs = differing.size > 0
    const [label = '', ...moreLabel] = clip(row.label, labelWidth, MAX_LABEL_LINES)
    const cells = row.cells.map((cell, column) => {
      const { tone, text } = cell?.mark ?? { tone: 'none', text: '–' }
      return toned(differing.has(column) ? 'bad' : tone, padTo(text, cellWidth))
    })
    const start = padTo(`${differs ? DIFFERS : ' '}${number}`, INDENT)
    const name = padTo(label, labelWidth + GAP)
    const head = `${differs ? paint.red(start + name) : paint.dim(start) + name}${cells.join('')}`
    const rest = moreLabel.map((line) => `${' '.repeat(INDENT + GAP)}${line}`)
    const details = detailLines(row, differs ? paint.red : paint.dim)
    if (!isBeside) return [head, ...rest, ...consent(row), ...details.map(indented)]
    const [first = '', ...more] = details
    return [`${head}${first}`, ...rest, ...more.map(indented), ...consent(row)]
  }

  function indented(line: string): string {
    return ' '.repeat(detailStart) + line
  }

  function toned(tone: Mark['tone'], text: string): string {
    if (tone === 'good') return paint.green(text)
    if (tone === 'no') return paint.yellow(text)
    return tone === 'bad' ? paint.red(text) : text
  }

  /** What the model was shown: once if it is the same in all, otherwise for each adapter. */
  function detailLines({ cells }: Row, color: (text: string) => string): readonly string[] {
    const groups = Map.groupBy(
      cells.flatMap((cell, column) => (cell === undefined ? [] : [{ column, details: cell.details }])),
      ({ details }) => JSON.stringify(details),
    )
    return [...groups.values()].flatMap((group) => {
      const names = groups.size === 1 ? '' : `${group.map(({ column }) => records[column]!.adapter).join(', ')}: `
      return group[0]!.details.flatMap(({ text, most }) => clip(names + text, width - detailStart, most).map(color))
    })
  }

  /** The question: as a whole the first time, then its first line and what would run. */
  function consent({ cells }: Row): readonly string[] {
    const asked = cells.find((cell) => cell?.consent !== undefined)?.consent
    if (asked === undefined) return []
    const [question = '', ...more] = asked.text.split('\n')
    const because = asked.reason === undefined ? '' : `, ${visibleLine(asked.reason)}`
    const answered = `The demo answers: ${asked.approved ? 'yes' : 'no'}${because}.`
    // Every question shows what would run.
    const runs = more.filter((line) => /^ *(?:scripts:(?! *none$)|when called:|run by:)/.test(line))
    const texts = wasAsked ? [`${question} ${answered}`, ...runs] : [question, ...more, answered]
    wasAsked = true
    return texts.flatMap((line) => questionLines(visible(line)))
  }

  /** A line of a question. What does not fit goes on below its text, behind the name of the field. */
  function questionLines(line: string): readonly string[] {
    const [lead = ''] = /^ *(?:[a-z\d ]+:)? */.exec(line) ?? []
    const text = wrap(line.slice(lead.length), width - INDENT - 2 - lead.length)
    return text.map((part, index) => {
      const before = index === 0 ? lead : ' '.repeat(lead.length)
      return ' '.repeat(INDENT) + paint.cyan(`? ${before}${part}`)
    })
  }

  const header =
    ' '.repeat(tableWidth - cellWidth * records.length) +
    records.map(({ adapter }) => padTo(clip(adapter, cellWidth - 1, 1)[0] ?? '', cellWidth)).join('')
  return [paint.bold(header), ...rows.flatMap(lines)].map((line) => `${line.trimEnd()}\n`).join('')
}

/** The columns whose result is not the most frequent one of the row. All of them if no result is more frequent. */
function differingColumns({ cells, order }: Row, records: readonly AdapterRecord[]): ReadonlySet<number> {
  const isOffer = order < ORDER.say
  const compared = [...cells.keys()].filter((column) => !isOffer || records[column]!.hidesTools !== false)
  const groups = Map.groupBy(compared, (column) => JSON.stringify(cells[column]))
  if (groups.size <= 1) return new Set()
  const sizes = [...groups.values()].map(({ length }) => length)
  const most = Math.max(...sizes)
  const isUsual = (columns: readonly number[]): boolean =>
    columns.length === most && sizes.filter((size) => size === most).length === 1
  return new Set([...groups.values()].filter((columns) => !isUsual(columns)).flat())
}

function rowsOf(records: readonly AdapterRecord[]): readonly Row[] {
  const rows = new Map<string, Row>()
  for (const [column, record] of records.entries()) {
    const add = (step: number, order: number, label: string, cell: Cell): void => {
      const key = JSON.stringify([step, order, label.replace(HIDDEN, '')])
      const row = rows.get(key) ?? { step, order, label, cells: records.map(() => undefined) }
      row.cells[column] = cell
      rows.set(key, row)
    }
    const events = eventsOf(record)
    for (const event of events) {
      if (event.type === 'offer' && record.hidesTools === false && records.length > 1) continue
      // Counted within the step, so that an event that one adapter lacks does not shift later events.
      const order = events.filter(({ step, type }) => step === event.step && type === event.type).indexOf(event)
      add(event.step, ORDER[event.type] + order, labelOf(event), cellOf(event))
    }
    add(record.requests.length, ORDER.answer, 'Answer', endOf(record))
  }
  return [...rows.values()].toSorted((a, b) => a.step - b.step || a.order - b.order)
}

function cellOf(event: DemoEvent): Cell {
  const consent = event.type === 'call' ? event.consent : undefined
  return { mark: markOf(event), details: detailsOf(event), consent }
}

function endOf({ answer, failure = '' }: AdapterRecord): Cell {
  const [tone, mark, text] =
    answer === undefined ? (['bad', '✗ failed', failure] as const) : (['good', '✓ given', answer] as const)
  return { mark: { tone, text: mark }, details: [{ text: visibleLine(text), most: 4 }] }
}
