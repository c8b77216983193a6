import type { Agents } from '../measures/agents.ts'
import type { RunnerRow } from '../measures/runners.ts'
import type { Aim } from '../results.ts'
import { grouped, times } from '../report/format.ts'
import { atMost, milliseconds } from './judge.ts'

/** A step with skills over one without, in each adapter and over each catalog. */
export function agentAims({ steps }: Agents): Aim[] {
  return steps.map(({ title, skills, more }) =>
    atMost(`a step with ${grouped(skills)} skills over one without, ${title}`, 0.35, more?.median, milliseconds),
  )
}

/** The process has no aim: what it is beside is no sandbox. */
export function runnerAims(rows: readonly RunnerRow[]): Aim[] {
  return rows
    .filter(({ id }) => id !== 'process')
    .map(({ title, bareTitle, over }) => atMost(`a run by ${title} over one by ${bareTitle}`, 1.5, over?.median, times))
}
