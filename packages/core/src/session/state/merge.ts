import type { SessionState } from './state.ts'

/**
 * Merges what happened in two branches of a session: what either has added or removed since both had the same state.
 * The end of one is the end. Pure.
 * @param base what both began with
 */
export function mergeStates(base: SessionState, one: SessionState, other: SessionState): SessionState {
  if (one.ended || other.ended) return one.ended ? one : other
  const later = <Name extends 'summary' | 'matched' | 'stored'>(name: Name): SessionState[Name] =>
    isSame(other[name], base[name]) ? one[name] : other[name]
  const used = mergeLists(base.used ?? [], one.used ?? [], other.used ?? [], String)
  return {
    ...one,
    correlationId: one.correlationId ?? other.correlationId,
    active: mergeLists(base.active, one.active, other.active, ({ name }) => name),
    granted: mergeLists(base.granted, one.granted, other.granted, JSON.stringify),
    // A no stands, whatever the other branch says.
    open: mergeLists(
      base.open,
      one.open,
      other.open,
      ({ id }) => id,
      ({ approved }) => approved === false,
    ),
    used: used.length === 0 ? undefined : used,
    guided: one.guided ?? other.guided,
    steps: Math.max(one.steps ?? 0, other.steps ?? 0) || undefined,
    summary: later('summary'),
    matched: later('matched'),
    stored: later('stored'),
  }
}

/**
 * Merges lists whose entries have a key: what one has removed is gone, and what one has changed is as it changed it.
 * @param stands whether an entry of the other branch counts where both have changed it
 */
function mergeLists<T>(
  base: readonly T[],
  one: readonly T[],
  other: readonly T[],
  keyOf: (entry: T) => string,
  stands: (entry: T) => boolean = () => false,
): readonly T[] {
  const keyed = (list: readonly T[]): ReadonlyMap<string, T> => new Map(list.map((entry) => [keyOf(entry), entry]))
  const [before, mine, theirs] = [keyed(base), keyed(one), keyed(other)]
  const kept = [...mine].flatMap(([key, entry]) => {
    const there = theirs.get(key)
    if (there === undefined) return before.has(key) ? [] : [entry]
    return isSame(entry, before.get(key)) || stands(there) ? [there] : [entry]
  })
  return [...kept, ...[...theirs].flatMap(([key, entry]) => (before.has(key) || mine.has(key) ? [] : [entry]))]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
