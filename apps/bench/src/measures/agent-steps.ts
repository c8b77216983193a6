import type { FunctionTool } from '@repertoire/core'
import { CALL, type PrepareAgent } from '../adapters/agent.ts'
import { median, type Pair } from '../statistics.ts'
import { openTree } from './in-use.ts'

const CALLS = 16
const RUNS = 8
/** Runs before the measured ones, while code is still being compiled. */
const WARM_UP = 2

/**
 * Times steps that call a host's tool: with the skills of a tree, and in the framework alone, in turns.
 * @throws {Error} if a call was not carried out, because then no step was timed
 */
export async function timeAgentSteps(prepare: PrepareAgent, root: string): Promise<Pair> {
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
  const agents = { base: prepare({ tools: [read] }), own: prepare({ tools: [read], repertoire: await openTree(root) }) }
  const times = { own: [] as number[], base: [] as number[] }
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    for (const side of ['base', 'own'] as const) {
      carriedOut = 0
      const steps = await agents[side].run(CALLS)
      if (carriedOut !== CALLS) throw new Error(`${carriedOut} of ${CALLS} calls were carried out (${side}).`)
      if (run >= WARM_UP) times[side].push(median(steps.slice(1)))
    }
  }
  return { own: median(times.own), base: median(times.base) }
}
