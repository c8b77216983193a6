import { diffArrays } from 'diff'
import { codeOf, type Run } from './run.ts'
import { subjectOf } from './timeline.ts'

/** One row of a comparison: what each run did there. Undefined: it did nothing there. */
export interface ComparedRow {
  readonly equal: boolean
  readonly cells: readonly (ComparedCell | undefined)[]
}

/** What one run did. */
export interface ComparedCell {
  readonly kind: 'shown' | 'call'
  readonly status: string
  readonly text: string
  /** The place of its step, and of its call, for links. */
  readonly step: number
  readonly call?: number
}

/** Runs next to each other. */
export interface Comparison {
  readonly rows: readonly ComparedRow[]
  /** How many rows of the runs are not compared, since they are too long. */
  readonly cut: number
  /** Whether equal rows stand side by side. Otherwise the runs differ too much for that, and rows stand in their order. */
  readonly isAligned: boolean
}

interface Item extends ComparedCell {
  readonly signature: string
}

/** Longest runs that are compared. */
const MAX_COMPARED_ITEMS = 20_000

/** Most differences that are lined up: that takes time by their square. */
const MAX_DIFFERENCES = 2_000

/** Puts runs next to each other, and lines up what they have in common with the first. */
export function compareRuns(runs: readonly Run[]): Comparison {
  const all = runs.map(itemsOf)
  const [first = [], ...others] = all.map((items) => items.slice(0, MAX_COMPARED_ITEMS))
  // For each other run: what stands beside an item of the first, and what stands before it.
  const aligned = others.map((items) => align(first, items))
  const columns = aligned.map((column, index) => column ?? inOrder(first, others[index]!))
  const rows: ComparedRow[] = []
  for (let at = 0; at <= first.length; at++) {
    const depth = Math.max(0, ...columns.map(({ before }) => before[at]?.length ?? 0))
    for (let index = 0; index < depth; index++)
      rows.push(rowOf([undefined, ...columns.map(({ before }) => before[at]?.[index])]))
    if (at < first.length) rows.push(rowOf([first[at], ...columns.map(({ beside }) => beside[at])]))
  }
  const cut = all.reduce((sum, { length }) => sum + Math.max(0, length - MAX_COMPARED_ITEMS), 0)
  return { rows, cut, isAligned: !aligned.includes(undefined) }
}

/** What stands beside each item of the first run, and before it. */
interface Column {
  readonly beside: readonly (Item | undefined)[]
  readonly before: readonly (readonly Item[] | undefined)[]
}

function inOrder(first: readonly Item[], other: readonly Item[]): Column {
  const before: Item[][] = []
  if (other.length > first.length) before[first.length] = other.slice(first.length)
  return { beside: other.slice(0, first.length), before }
}

function rowOf(items: readonly (Item | undefined)[]): ComparedRow {
  const [first] = items
  const equal = items.every((item) => item !== undefined && item.signature === first?.signature)
  return {
    equal,
    cells: items.map((item) => {
      if (item === undefined) return undefined
      const { signature: _, ...cell } = item
      return cell
    }),
  }
}

/** Undefined: they differ too much. */
function align(first: readonly Item[], other: readonly Item[]): Column | undefined {
  const beside: (Item | undefined)[] = []
  const before: Item[][] = []
  let at = 0
  let from = 0
  const parts = diffArrays([...first], [...other], {
    comparator: (one, another) => one.signature === another.signature,
    maxEditLength: MAX_DIFFERENCES,
  })
  if (parts === undefined) return undefined
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!
    const next = parts[index + 1]
    if (part.removed) {
      // What was replaced stands side by side: the same call with another outcome reads as one row.
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

/** What a run showed and did, in order. Times, ids and durations are no part of it. */
function itemsOf(run: Run): readonly Item[] {
  return run.steps.flatMap((step, place) => {
    const shown: readonly Item[] =
      step.shown === undefined
        ? []
        : [
            {
              kind: 'shown',
              status: 'shown',
              text: `${step.shown.skills.length} skills: ${step.shown.skills.map(({ name }) => name).join(', ') || 'none'}; ${step.shown.tools.length} tools: ${step.shown.tools.join(', ') || 'none'}`,
              step: place,
              signature: JSON.stringify([
                step.shown.skills.map(({ name, as }) => [name, as]),
                step.shown.tools,
                step.shown.digest,
              ]),
            },
          ]
    const calls = step.calls.map((call): Item => {
      const text = subjectOf(call)
      const digest = call.events.find(({ inputDigest }) => inputDigest !== undefined)?.inputDigest
      const code = codeOf(call)
      return {
        kind: 'call',
        status: call.status,
        text: code === '' ? text : `${text}  ${code}`,
        step: place,
        call: call.index,
        signature: JSON.stringify([call.tool, digest, call.status, code, text]),
      }
    })
    // The calls of a step run side by side, so that their order says nothing.
    return [...shown, ...calls.toSorted((one, other) => (one.signature < other.signature ? -1 : 1))]
  })
}
