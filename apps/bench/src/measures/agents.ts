import { type AdapterId, ADAPTERS } from '../adapters/index.ts'
import type { Job } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { median, type Summary, summarise } from '../statistics.ts'
import type { Tree } from './discovery.ts'

/** What an adapter costs. Milliseconds for a step. */
export interface AgentRow {
  readonly adapter: AdapterId
  readonly title: string
  /** A step of the framework alone. */
  readonly plain?: Summary
  /** How much longer it takes with ours, by the medians of each process. */
  readonly more?: Summary
  readonly absent?: string
}

/** A step that calls a tool of the host's, over so many skills. */
export interface StepRow extends AgentRow {
  readonly skills: number
}

export interface Agents {
  readonly steps: readonly StepRow[]
  /** A step that runs a script. `plain`: a tool of the host's calls the same runner. */
  readonly scripts: readonly AgentRow[]
}

export interface AgentOptions extends ChildOptions {
  readonly rounds: number
  readonly adapters: readonly AdapterId[]
  /** Runs of a task in one process, without and with ours each. */
  readonly runs: number
  readonly progress: (text: string) => void
}

/** Measures each adapter over each tree, in processes of their own. */
export async function measureAgents(
  trees: readonly Pick<Tree, 'root' | 'skills'>[],
  { rounds, adapters, runs, progress, ...child }: AgentOptions,
): Promise<Agents> {
  const measure = async (adapter: AdapterId, job: Job & { kind: 'agentSteps' | 'agentScripts' }): Promise<AgentRow> => {
    const plain: number[] = []
    const more: number[] = []
    const { title } = ADAPTERS[adapter]
    try {
      for (let round = 0; round < rounds; round++) {
        progress(`${title}: ${job.kind === 'agentSteps' ? 'steps' : 'scripts'}, round ${round + 1} of ${rounds}`)
        const answer = await runChild(job, child)
        const alone = median(answer.plain)
        plain.push(alone)
        more.push(median(answer.skilled) - alone)
      }
    } catch (error) {
      if (!(error instanceof ChildFailure)) throw error
      return { adapter, title, absent: error.message }
    }
    return { adapter, title, plain: summarise(plain), more: summarise(more) }
  }
  const steps: StepRow[] = []
  for (const { root, skills } of trees) {
    for (const adapter of adapters)
      steps.push({ skills, ...(await measure(adapter, { kind: 'agentSteps', adapter, root, runs })) })
  }
  const scripts: AgentRow[] = []
  for (const adapter of adapters) scripts.push(await measure(adapter, { kind: 'agentScripts', adapter, runs }))
  return { steps, scripts }
}
