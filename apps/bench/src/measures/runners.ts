import type { RunnerId } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { median, type Summary, summarise } from '../statistics.ts'

/** A script that prints a line, by a runner and by what that runs on. Milliseconds. */
export interface RunnerRow {
  readonly id: RunnerId
  readonly title: string
  readonly bareTitle: string
  readonly own?: Summary
  readonly bare?: Summary
  /** The first one of a process, with what it imports. */
  readonly first?: Summary
  /** How many times as long as the bare one, by the medians of each process. */
  readonly over?: Summary
  readonly absent?: string
}

const TITLES: Readonly<Record<RunnerId, readonly [own: string, bare: string]>> = {
  virtual: ['virtualRunner', 'just-bash'],
  bubblewrap: ['openBubblewrap', 'bwrap'],
  process: ['processRunner', 'a process'],
}

export interface RunnerOptions extends ChildOptions {
  readonly rounds: number
  /** Starts in one process, of each. */
  readonly runs: number
  readonly progress: (text: string) => void
}

export async function measureRunners({
  rounds,
  runs,
  progress,
  ...child
}: RunnerOptions): Promise<readonly RunnerRow[]> {
  const ids = Object.keys(TITLES) as RunnerId[]
  const samples = new Map<RunnerId, Samples>(ids.map((id) => [id, { own: [], bare: [], first: [], over: [] }]))
  const absent = new Map<RunnerId, string>()
  for (let round = 0; round < rounds && absent.size < ids.length; round++) {
    progress(`runners: round ${round + 1} of ${rounds}`)
    try {
      const answer = await runChild({ kind: 'runners', runs }, child)
      for (const id of ids) {
        const times = answer[id]
        if ('absent' in times) absent.set(id, times.absent)
        else add(samples.get(id), times)
      }
    } catch (error) {
      if (!(error instanceof ChildFailure)) throw error
      for (const id of ids) absent.set(id, error.message)
    }
  }
  return ids.map((id) => {
    const [title, bareTitle] = TITLES[id]
    const reason = absent.get(id)
    const { own = [], bare = [], first = [], over = [] } = samples.get(id) ?? {}
    if (reason !== undefined) return { id, title, bareTitle, absent: reason }
    return {
      id,
      title,
      bareTitle,
      own: summarise(own),
      bare: summarise(bare),
      first: summarise(first),
      over: summarise(over),
    }
  })
}

type Samples = Record<'own' | 'bare' | 'first' | 'over', number[]>

function add(
  samples: Samples | undefined,
  times: { readonly own: readonly number[]; readonly bare: readonly number[] },
) {
  const [first = Number.NaN, ...later] = times.own
  const own = median(later.length > 0 ? later : [first])
  const bare = median(times.bare.length > 1 ? times.bare.slice(1) : times.bare)
  samples?.own.push(own)
  samples?.bare.push(bare)
  samples?.first.push(first)
  samples?.over.push(own / bare)
}
