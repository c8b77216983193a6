import { diffArrays } from 'diff'
import { changesOf } from './changes.ts'
import type { Shown } from './event.ts'
import { type Call, codeOf, type Run } from './run.ts'
import { subjectOf } from './timeline.ts'
import { count } from './words.ts'

/** One row of a comparison: the runs in groups that did the same there. One group: all runs did the same. */
export type ComparedRow = readonly ComparedGroup[]

/** Runs that did the same in a row. */
export interface ComparedGroup {
  /** Their places in the list of compared runs. */
  readonly runs: readonly number[]
  /** What the first of them did. Undefined: they did nothing there. */
  readonly cell: ComparedCell | undefined
}

/** What a run was shown, or what it did. */
export interface ComparedCell {
  readonly kind: 'shown' | 'call'
  readonly status: string
  readonly text: string
  /** The code of a refusal; otherwise empty. */
  readonly code: string
  /** Why a call was refused or failed, or what a person answered before it ran; otherwise empty. */
  readonly why: string
  /** The number of its step, as the log counts it. */
  readonly number: number
  /** The place of its step, and the id of its call, for links. */
  readonly step: number
  readonly call?: string
}

interface Item extends ComparedCell {
  readonly signature: string
}

/** Most differences that are lined up: that takes time by their square. */
const MAX_DIFFERENCES = 2_000

/** Compares runs: lines up each with the first, and groups those that did the same. */
export function compareRuns(runs: readonly Pick<Run, 'steps'>[]): readonly ComparedRow[] {
  const order = placesOf(runs[0])
  const [first = [], ...others] = runs.map((run) => itemsOf(run, order))
  const columns = others.map((items) => align(first, items))
  const rows: ComparedRow[] = []
  for (let at = 0; at <= first.length; at++) {
    const depth = Math.max(0, ...columns.map(({ before }) => before[at]?.length ?? 0))
    for (let index = 0; index < depth; index++)
      rows.push(rowOf([undefined, ...columns.map(({ before }) => before[at]?.[index])]))
    if (at < first.length) rows.push(rowOf([first[at], ...columns.map(({ beside }) => beside[at])]))
  }
  return rows
}

/** `both`, `all three`: a number of runs in words. */
export function allOf(runs: number): string {
  if (runs === 2) return 'both'
  return `all ${['three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'][runs - 3] ?? runs}`
}

/** What stands beside each item of the first run, and before it. */
interface Column {
  readonly beside: readonly (Item | undefined)[]
  readonly before: readonly (readonly Item[] | undefined)[]
}

function rowOf(items: readonly (Item | undefined)[]): ComparedRow {
  const groups = Map.groupBy(items.keys(), (place) => items[place]?.signature)
  return [...groups.values()].map((runs) => {
    const item = items[runs[0]!]
    if (item === undefined) return { runs, cell: undefined }
    const { signature: _, ...cell } = item
    return { runs, cell }
  })
}

function align(first: readonly Item[], other: readonly Item[]): Column {
  const beside: (Item | undefined)[] = []
  const before: Item[][] = []
  let at = 0
  let from = 0
  // Runs that have too little in common stand in their order.
  const parts = diffArrays([...first], [...other], {
    comparator: (one, another) => one.signature === another.signature,
    maxEditLength: MAX_DIFFERENCES,
  }) ?? [
    { removed: true, added: false, count: first.length },
    { removed: false, added: true, count: other.length },
  ]
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const next = parts[index + 1]
    if (part.removed) {
      // A replaced item shares the row: the same call with another outcome reads as one difference.
      const replaced = next?.added ? next.count : 0
      const paired = Math.min(part.count, replaced)
      for (let offset = 0; offset < part.count; offset++)
        beside[at + offset] = offset < paired ? other[from + offset] : undefined
      at += part.count
      if (replaced > 0) {
        if (replaced > paired) before[at] = other.slice(from + paired, from + replaced)
        from += replaced
        index++
      }
    } else if (part.added) {
      before[at] = other.slice(from, from + part.count)
      from += part.count
    } else {
      for (let offset = 0; offset < part.count; offset++) beside[at + offset] = other[from + offset]
      at += part.count
      from += part.count
    }
  }
  return { beside, before }
}

/** What a run was shown where that changed, and what it did. Times, ids and durations are no part of it. */
function itemsOf(run: Pick<Run, 'steps'>, order: ReadonlyMap<string, number>): readonly Item[] {
  let before: Shown | undefined
  return run.steps.flatMap(({ number, shown, calls }, place) => {
    const text = shown === undefined ? '' : shownText(before, shown)
    before = shown ?? before
    const at = { number, step: place }
    const calledFirst = (call: Call): number => order.get(keyOf(call, place)) ?? Infinity
    // The calls of a step run side by side, so their own order says nothing.
    const sorted = calls.toSorted(
      (one, other) => calledFirst(one) - calledFirst(other) || (keyOf(one, place) < keyOf(other, place) ? -1 : 1),
    )
    const offered: readonly Item[] =
      text === ''
        ? []
        : [{ kind: 'shown', status: 'shown', text, code: '', why: '', signature: shownSignature(text, shown), ...at }]
    return [...offered, ...sorted.map((call) => ({ ...callItem(call), ...at }))]
  })
}

function shownSignature(text: string, shown: Shown | undefined): string {
  return JSON.stringify([text, shown?.skills.map(({ name, as }) => [name, as]), shown?.tools])
}

function callItem(call: Call): Omit<Item, 'step' | 'number'> {
  const { id, status, decision } = call
  const text = subjectOf(call)
  const code = codeOf(call)
  const answer = call.events.find(({ type }) => type === 'consent.answered')?.consent?.answer
  return {
    kind: 'call',
    status,
    text,
    code,
    why:
      decision?.reason ??
      decision?.error ??
      decision?.consent?.reason ??
      (answer === undefined ? '' : `asked first: ${answer}`),
    call: id,
    signature: JSON.stringify([keyOf(call, 0), status, code, text]),
  }
}

/** A call by its step, tool and input. */
function keyOf({ tool, events }: Call, step: number): string {
  return `${step} ${tool} ${events.find(({ inputDigest }) => inputDigest !== undefined)?.inputDigest ?? ''}`
}

function placesOf(run: Pick<Run, 'steps'> | undefined): ReadonlyMap<string, number> {
  return new Map(run?.steps.flatMap(({ calls }, step) => calls.map((call, index) => [keyOf(call, step), index])))
}

/** What a step was shown that the step before was not; empty if nothing changed. */
function shownText(before: Shown | undefined, now: Shown): string {
  if (before === undefined) return `${count(now.skills.length, 'skill')}, ${count(now.tools.length, 'tool')}`
  const { skillsAdded, skillsRemoved, skillsChanged, toolsAdded, toolsRemoved } = changesOf(before, now)
  const parts: readonly (readonly [lead: string, names: readonly string[]])[] = [
    ['Now offered', toolsAdded],
    ['No longer offered', toolsRemoved.map(({ tool }) => tool)],
    ['Now listed', skillsAdded],
    ['No longer listed', skillsRemoved.map(({ name }) => name)],
    ['Listed otherwise', skillsChanged.map(({ name }) => name)],
  ]
  return parts.flatMap(([lead, names]) => (names.length === 0 ? [] : `${lead}: ${names.join(', ')}`)).join('; ')
}
