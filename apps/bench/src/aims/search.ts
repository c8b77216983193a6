import type { SearchCost } from '../measures/search.ts'
import type { Aim } from '../results.ts'
import { grouped } from '../report/format.ts'
import { atMost, milliseconds } from './judge.ts'

/** What a search may cost: its index in memory, and a query in time. */
export function searchAims({ skills, rows }: SearchCost): Aim[] {
  const own = rows.find(({ engine }) => engine === 'repertoire')
  const among = `among ${grouped(skills)} skills`
  return [
    atMost(`index of a search, per skill, ${among}`, 2_048, own?.bytesPerSkill?.median, bytes),
    atMost(`a search for a phrase ${among}`, 2, own?.phrase?.median, milliseconds),
    atMost(`a search for a word ${among}`, 2, own?.word?.median, milliseconds),
  ]
}

function bytes(value: number): string {
  return `${grouped(Math.round(value))} bytes`
}
