import type { LabelledQueries, LabelledQuery } from './corpus.ts'

/** The tasks in two parts: what is tried out may look at one, and is judged by the other. */
export interface SplitQueries {
  readonly tuned: LabelledQueries
  readonly heldOut: LabelledQueries
}

/**
 * Splits tasks in halves by a hash of the skill that is right: the same in every run, and all tasks of one skill are in one
 * part, in whatever words.
 */
export function splitQueries(queries: LabelledQueries): SplitQueries {
  const only = (isWanted: (query: LabelledQuery) => boolean): LabelledQueries => ({
    written: queries.written.filter(isWanted),
    rewritten: queries.rewritten.filter(isWanted),
  })
  return { tuned: only((query) => !isHeldOut(query)), heldOut: only(isHeldOut) }
}

function isHeldOut({ right }: LabelledQuery): boolean {
  const [first = ''] = [...right].toSorted()
  return hashOf(first) % 2 === 1
}

/** FNV-1a, folded: its lowest bit alone hangs on few bits of the text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
