import type { FunctionTool } from '@repertoire/core'
import type { AgentParts, PrepareAgent } from '../adapters/agent.ts'
import { median, type Pair } from '../statistics.ts'
import { openTree } from './in-use.ts'

/** How much is run. */
export interface Extent {
  readonly root: string
  /** Runs that count, on each side. Default 8. */
  readonly runs?: number
  /** Runs before them, in which code is compiled. Default 2. */
  readonly warmUp?: number
  /** Calls in a run. Default 16. */
  readonly calls?: number
}

const CALL = { tool: 'Read', input: { file_path: 'docs/guide.md' } }

/**
 * Times steps that call a host's tool: with the skills of a tree, and in the framework alone, in turns.
 * @throws {Error} if a call was not carried out, because then no step was timed
 */
export async function timeAgentSteps(
  prepare: PrepareAgent,
  { root, runs = 8, warmUp = 2, calls = 16 }: Extent,
): Promise<Pair> {
  let carriedOut = 0
  const read: FunctionTool = {
    name: CALL.tool,
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
    async execute() {
      carriedOut++
      return 'What the file says.'
    },
  }
  const parts: AgentParts = { tools: [read] }
  const agents = { base: prepare(parts), own: prepare({ ...parts, repertoire: await openTree(root) }) }
  const times = { own: [] as number[], base: [] as number[] }
  for (let run = 0; run < warmUp + runs; run++) {
    for (const side of ['base', 'own'] as const) {
      carriedOut = 0
      const steps = await agents[side].run(Array.from({ length: calls }, () => CALL))
      if (carriedOut !== calls) throw new Error(`${carriedOut} of ${calls} calls were carried out (${side}).`)
      if (run >= warmUp) times[side].push(median(steps.slice(1)))
    }
  }
  return { own: median(times.own), base: median(times.base) }
}
