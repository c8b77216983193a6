import {
  type FunctionTool,
  memorySource,
  openRepertoire,
  type Repertoire,
  type ScriptResult,
  type ScriptRunner,
} from '@repertoire/core'
import type { AgentParts, PlannedCall, PrepareAgent } from '../adapters/agent.ts'
import type { Answers } from '../job.ts'
import { median } from '../statistics.ts'
import { openTree } from './skills.ts'

/** How much is run. */
export interface Extent {
  /** Runs that count, without and with ours each. */
  readonly runs: number
  /** Runs before the first that counts: code is compiled by then. Default 2. */
  readonly warmUp?: number
  /**
   * Calls in a run. A conversation grows with them, and what a framework takes for a step with it. Default 16.
   */
  readonly calls?: number
}

const CALLS = 16
const WARM_UP = 2

const RESULT = 'What the file says.'
const SCRIPT = 'scripts/hello.sh'
const SKILL = {
  'SKILL.md': '---\nname: greeter\ndescription: Greets people by name.\n---\nRun scripts/hello.sh.\n',
  [SCRIPT]: 'echo hello "$1"\n',
}

/** Times steps that call a tool of the host's, without skills and over the skills of a tree, in turns. */
export async function timeAgentSteps(
  prepare: PrepareAgent,
  { root, ...extent }: Extent & { readonly root: string },
): Promise<Answers['agentSteps']> {
  const counted = countingTool('Read', async () => RESULT)
  const repertoire = await openTree(root)
  const call = { tool: 'Read', input: { file_path: 'docs/guide.md' } }
  return compare(prepare, {
    extent,
    plain: { parts: { tools: [counted.tool] }, calls: planned(call, extent) },
    skilled: { parts: { tools: [counted.tool], repertoire }, calls: planned(call, extent) },
    ran: counted.ran,
  })
}

/**
 * Times steps that run a script by a runner that does nothing: by a tool of the host's own, and by `run_skill_script`. In
 * both, each run begins with another call that does not count: that of the skill's activation.
 */
export async function timeAgentScripts(prepare: PrepareAgent, extent: Extent): Promise<Answers['agentScripts']> {
  let started = 0
  const runner = runnerOfNothing(() => started++)
  const own: FunctionTool = {
    name: 'Script',
    description: 'Runs a script.',
    inputSchema: { type: 'object', properties: { args: { type: 'array', items: { type: 'string' } } } },
    execute: async () => JSON.stringify(await runner.run({} as never)),
  }
  const ping: FunctionTool = { ...own, name: 'Ping', description: 'Answers.', execute: async () => RESULT }
  const repertoire: Repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills: { greeter: SKILL } })],
    runner,
  })
  const args = ['Ada']
  return compare(prepare, {
    extent,
    plain: {
      parts: { tools: [own, ping] },
      calls: [{ tool: 'Ping', input: {} }, ...planned({ tool: 'Script', input: { args } }, extent)],
    },
    skilled: {
      parts: { tools: [own, ping], repertoire },
      calls: [
        { tool: 'activate_skill', input: { name: 'greeter' } },
        ...planned({ tool: 'run_skill_script', input: { path: SCRIPT, args } }, extent),
      ],
    },
    ran: () => started,
  })
}

interface Side {
  readonly parts: AgentParts
  readonly calls: readonly PlannedCall[]
}

interface Sides {
  readonly extent: Extent
  readonly plain: Side
  readonly skilled: Side
  /** How many of the calls that count have been carried out. */
  readonly ran: () => number
}

/** @throws {Error} if a call was not carried out: what did not run took no time */
async function compare(
  prepare: PrepareAgent,
  { extent: { runs, warmUp = WARM_UP, calls: expected = CALLS }, plain, skilled, ran }: Sides,
): Promise<Answers['agentSteps']> {
  const sides = { plain: { ...plain, times: [] as number[] }, skilled: { ...skilled, times: [] as number[] } }
  const agents = { plain: prepare(plain.parts), skilled: prepare(skilled.parts) }
  for (let run = 0; run < warmUp + runs; run++) {
    for (const kind of ['plain', 'skilled'] as const) {
      const before = ran()
      const { calls, times } = sides[kind]
      const steps = await agents[kind].run(calls)
      const carriedOut = ran() - before
      if (carriedOut !== expected)
        throw new Error(`Error: ${carriedOut} of ${expected} calls were carried out (${kind}).`)
      if (run >= warmUp) times.push(median(steps.slice(1)))
    }
  }
  return { plain: sides.plain.times, skilled: sides.skilled.times }
}

function planned(call: PlannedCall, { calls = CALLS }: Extent): readonly PlannedCall[] {
  return Array.from({ length: calls }, () => call)
}

function countingTool(name: string, execute: () => Promise<string>): { tool: FunctionTool; ran: () => number } {
  let count = 0
  return {
    tool: {
      name,
      description: 'Reads a file.',
      inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
      execute: () => {
        count++
        return execute()
      },
    },
    ran: () => count,
  }
}

function runnerOfNothing(onRun: () => unknown): ScriptRunner {
  const stdout = new TextEncoder().encode('hello\n')
  const result: ScriptResult = {
    end: 'exited',
    exitCode: 0,
    stdout,
    stderr: new Uint8Array(),
    dropped: { stdout: 0, stderr: 0 },
    durationMs: 0,
  }
  return {
    name: 'nothing',
    isolation: { name: 'nothing runs', isolated: true, notes: [] },
    supports: () => true,
    run: async () => {
      onRun()
      return result
    },
    close: async () => {},
  }
}
