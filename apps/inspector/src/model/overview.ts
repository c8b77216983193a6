import type { LeftOut, Log } from './log.ts'
import { countCalls, type Run } from './run.ts'

/** What the page shows of every run. */
export interface RunSummary {
  readonly id: string
  readonly session: string
  readonly log: string
  readonly parent: string | undefined
  /** How deep it lies below runs that are shown. */
  readonly depth: number
  readonly agent: string | undefined
  readonly tenant: string | undefined
  readonly environment: string | undefined
  readonly models: readonly string[]
  readonly first: number
  readonly last: number
  readonly steps: number
  readonly calls: number
  readonly ran: number
  readonly refused: number
  readonly failed: number
  readonly asked: number
  readonly hasShown: boolean
  readonly hasInputs: boolean
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
  // Without recursion: a log may nest forks deeper than a stack.
  const waiting = [...log.runs.values()].filter(({ parent }) => parent === undefined).map((run) => ({ run, depth: 0 }))
  waiting.reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { run, depth } = next
    runs.push(summaryOf(run, depth))
    for (const id of [...run.forks.values()].toReversed()) {
      const fork = log.runs.get(id)
      if (fork !== undefined) waiting.push({ run: fork, depth: depth + 1 })
    }
  }
  return { runs, leftOut: log.leftOut, events: log.events }
}

function summaryOf(run: Run, depth: number): RunSummary {
  const { id, session, log, parent, agent, tenant, environment, models, first, last, hasShown, hasInputs } = run
  return {
    id,
    session,
    log,
    parent,
    depth,
    agent,
    tenant,
    environment,
    models: [...models],
    first,
    last,
    steps: run.steps.length,
    calls: run.calls.length,
    ...countCalls(run),
    hasShown,
    hasInputs,
  }
}
