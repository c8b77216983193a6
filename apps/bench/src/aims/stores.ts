import type { StoreRow } from '../measures/stores.ts'
import { times as ratio } from '../report/format.ts'
import type { Aim } from '../results.ts'
import { atMost } from './judge.ts'

/** Loading and scanning have no aim: what they are beside reads less, or from memory. */
export function storeAims(rows: readonly StoreRow[]): Aim[] {
  return rows.map(({ title, times }) => atMost(`a save to ${title} over the bare client`, 1.5, times?.save.over, ratio))
}
