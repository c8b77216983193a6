import type { FirstPrompt, PromptRow } from '../measures/first-prompt.ts'
import type { Aim } from '../results.ts'
import { times } from '../report/format.ts'
import { median } from '../statistics.ts'
import { CORRECT } from './discovery.ts'
import { atMost } from './judge.ts'

/** Import, scan and first list, beside the fastest peer that reads what is written. */
export function promptAims({ rows, readable }: FirstPrompt): Aim[] {
  const own = rows.find(({ role }) => role === 'own')
  const fastest = rows
    .filter((row) => row.role === 'peer' && (row.correctness?.right ?? 0) >= CORRECT * readable)
    .toSorted((one, other) => medianOf(one) - medianOf(other))[0]
  const title = `first prompt: import, scan and list over the fastest correct peer's${fastest === undefined ? '' : ` (${fastest.title})`}`
  return [atMost(title, 0.7, overRounds(own?.rounds, fastest?.rounds), times)]
}

/** The median over the rounds of one over the other: the machine may be slower in one round than in the next. */
function overRounds(own: readonly number[] = [], other: readonly number[] = []): number | undefined {
  const ratios = own.flatMap((time, round) => {
    const base = other[round]
    return base === undefined ? [] : [time / base]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}

function medianOf({ taken }: PromptRow): number {
  return taken?.median ?? Infinity
}
