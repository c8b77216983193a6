import type { LeftOut, Log } from './log.ts'
import { countCalls, type Run } from './run.ts'

/** What the page shows of every run. */
export interface RunSummary {
  readonly id: string
  /** What tells it from the other runs. */
  readonly title: string
  /** How deep it lies below runs that are shown. */
  readonly depth: number
  readonly agent: string | undefined
  readonly models: readonly string[]
  readonly steps: number
  readonly ran: number
  readonly refused: number
  readonly failed: number
  readonly asked: number
}

/** What is shown before a run is chosen. */
export interface Overview {
  /** Forks come after their parents. */
  readonly runs: readonly RunSummary[]
  readonly leftOut: readonly LeftOut[]
  readonly events: number
}

/** Sums up a log. */
export function overviewOf(log: Log): Overview {
  const runs: RunSummary[] = []
  const own = [...log.runs.values()].filter(({ parent }) => parent === undefined)
  const titles = titlesOf(own)
  // Without recursion: a log may nest forks deeper than a stack.
  const waiting = own.map((run) => ({ run, depth: 0 })).toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { run, depth } = next
    const { id, session, agent, models, steps } = run
    const title = titles.get(id) ?? session.slice(session.lastIndexOf('/') + 1)
    runs.push({ id, title, depth, agent, models: [...models], steps: steps.length, ...countCalls(run) })
    for (const fork of [...run.forks.values()].toReversed()) {
      const child = log.runs.get(fork)
      if (child !== undefined) waiting.push({ run: child, depth: depth + 1 })
    }
  }
  return { runs, leftOut: [...log.leftOut.values()], events: log.events }
}

/** Of several logs with one run each, a log's name says more than the id of its session. */
function titlesOf(runs: readonly Run[]): ReadonlyMap<string, string> {
  const logs = Map.groupBy(runs, ({ log }) => log)
  return new Map(
    runs.map(({ id, session, log }) => {
      const name = log.replace(/\.jsonl?$/, '')
      if (logs.size === 1) return [id, session]
      return [id, logs.get(log)?.length === 1 ? name : `${name} · ${session}`]
    }),
  )
}
