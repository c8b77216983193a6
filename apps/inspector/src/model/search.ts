import type { LogEvent } from './event.ts'
import type { Run } from './run.ts'
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
  if (place.kind === 'call') return eventsText(run.calls[place.item]?.events ?? [])
  const row = rowOf(run, place)
  const words = row === undefined ? '' : `${row.lead} ${row.text} ${row.end}`.toLowerCase()
  const note = place.kind === 'note' ? run.steps[place.step]?.notes[place.item] : undefined
  return note === undefined ? words : `${words} ${eventsText([note])}`
}

const kept = new WeakMap<readonly LogEvent[], { readonly length: number; readonly text: string }>()

/** The texts of events as one. Only what a person could search: no digests of other events, no names of fields. */
function eventsText(events: readonly LogEvent[]): string {
  const known = kept.get(events)
  if (known?.length === events.length) return known.text
  const parts = new Set<string>()
  for (const { skills: _, time: _time, ...event } of events) addTexts(event, parts)
  const text = [...parts].join(' ').toLowerCase()
  kept.set(events, { length: events.length, text })
  return text
}

function addTexts(value: unknown, parts: Set<string>): void {
  if (typeof value === 'string' || typeof value === 'number') parts.add(String(value))
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) addTexts(item, parts)
}
