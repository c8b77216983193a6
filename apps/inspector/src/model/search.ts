import { promptOf } from './detail.ts'
import type { LogEvent, Shown } from './event.ts'
import { type Run, shownBefore } from './run.ts'
import { indexOf, ROW_KINDS, type RowIndex, rowOf, type RowPlace } from './timeline.ts'

/** The rows of a run that hold all words of a query, in any case, in anything that the log says of them. */
export function search(run: Run, query: string): RowIndex {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const index = indexOf(run)
  if (words.length === 0) return index
  const kept = [...index.kind.keys()].filter((at) => {
    const text = textOf(run, { kind: ROW_KINDS[index.kind[at]!]!, step: index.step[at]!, item: index.item[at]! })
    return words.every((word) => text.includes(word))
  })
  return {
    kind: Uint8Array.from(kept, (at) => index.kind[at]!),
    step: Uint32Array.from(kept, (at) => index.step[at]!),
    item: Uint32Array.from(kept, (at) => index.item[at]!),
    tags: Uint8Array.from(kept, (at) => index.tags[at]!),
  }
}

function textOf(run: Run, place: RowPlace): string {
  const { kind, step, item } = place
  if (kind === 'call') {
    const events = run.calls[item]?.events ?? []
    return textIn(events, events.length, () => events.map(searched))
  }
  const row = rowOf(run, place)
  const words = row === undefined ? '' : `${row.lead} ${row.text} ${row.end}`.toLowerCase()
  const note = kind === 'note' ? run.steps[step]?.notes[item] : undefined
  if (note !== undefined) return `${words} ${textIn(note, 0, () => searched(note))}`
  const shown = kind === 'step' ? run.steps[step]?.shown : undefined
  return shown === undefined ? words : `${words} ${textIn(shown, 0, () => newIn(shownBefore(run, step), shown))}`
}

/** What a person could search: no digests of other events, no names of fields. */
function searched(event: LogEvent): object {
  return { ...event, skills: [], time: undefined }
}

/** What a step was shown first: all of it, or the lines that the prompt before it had not. Other rows say the rest. */
function newIn(before: Shown | undefined, now: Shown): unknown {
  if (before === undefined) return now
  return promptOf(before, now).map(({ change, text }) => (change === 'added' ? text : ''))
}

const kept = new WeakMap<object, { readonly length: number; readonly text: string }>()

/** All texts and numbers in a value, each once. They are kept by an object, while that has the same length. */
function textIn(key: object, length: number, valueOf: () => unknown): string {
  const known = kept.get(key)
  if (known?.length === length) return known.text
  const parts = new Set<string>()
  addTexts(valueOf(), parts)
  const text = [...parts].join(' ').toLowerCase()
  kept.set(key, { length, text })
  return text
}

function addTexts(value: unknown, parts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') parts.add(String(value))
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) addTexts(item, parts)
}
