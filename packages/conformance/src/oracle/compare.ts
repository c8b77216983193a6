import { textFailure } from '../failure.ts'
import { ASPECTS } from './aspects.ts'
import type { Aspect, AspectId, Run, Scenario, Seen } from './scenario.ts'

/** A side on which a run differs from core's. */
export interface Difference {
  readonly aspect: AspectId
  /** The first difference in its context: `expected the result of call_1_1 …, saw …`. */
  readonly reason: string
}

/** Compares a run with that of the reference driver, and returns the first difference of each aspect that has one. */
export function differences(seen: Run, expected: Run, { free = {} }: Pick<Scenario, 'free'>): readonly Difference[] {
  const hasUniqueIds = seen.hasUniqueIds && expected.hasUniqueIds
  const ids = { hasUniqueIds, hasIds: seen.hasIds && expected.hasIds }
  return ASPECTS.flatMap((aspect) => {
    if (Object.hasOwn(free, aspect.id)) return []
    const reason = firstDifference(read(aspect, seen, ids), read(aspect, expected, ids))
    return reason === undefined ? [] : [{ aspect: aspect.id, reason }]
  })
}

function read(aspect: Aspect, run: Run, ids: Pick<Run, 'hasIds' | 'hasUniqueIds'>): readonly Seen[] {
  return aspect.read({ ...run, ...ids }).map(withoutRandom)
}

/** Ids that an adapter or core has made up. */
const RANDOM = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

function withoutRandom([where, text]: Seen): Seen {
  return [where.replaceAll(RANDOM, 'random'), text.replaceAll(RANDOM, 'random')]
}

function firstDifference(seen: readonly Seen[], expected: readonly Seen[]): string | undefined {
  const at = Array.from({ length: Math.max(seen.length, expected.length) }).findIndex(
    (_, index) => seen[index]?.[0] !== expected[index]?.[0] || seen[index]?.[1] !== expected[index]?.[1],
  )
  if (at === -1) return undefined
  const [wanted, found] = [expected[at], seen[at]]
  const [what] = wanted ?? found!
  return textFailure(what, found?.[0] === what ? found[1] : found?.join(': '), wanted?.[1]).message
}
