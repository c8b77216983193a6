import type { ListingStyle } from '@repertoire/core'
import { writeSync } from 'node:fs'
import process from 'node:process'
import { type AdapterId, ADAPTERS } from './adapters/index.ts'
import type { Contestant } from './contestants/contestant.ts'
import { type ContestantId, CONTESTANTS } from './contestants/index.ts'
import type { ContextFigure } from './measures/context-tokens.ts'
import type { Correctness } from './measures/correctness.ts'
import type { ShownCall } from './measures/in-use.ts'
import type { RunnerId } from './measures/runner-runs.ts'
import type { EngineId } from './measures/saves.ts'
import type { SearchFigure } from './measures/searches.ts'
import { type SystemId, SYSTEMS } from './systems/index.ts'

/** The file descriptor for answers, so that they do not mix with what a contestant prints. */
const ANSWER_FD = 3

export type Jobs = typeof JOBS

interface Contest {
  readonly contestant: ContestantId
  readonly root: string
}

// Each process does one job, so its caches are as cold as a user's. It imports only what the job needs, because a
// module that is loaded before a measurement changes it.
const JOBS = {
  async scan({ contestant, root, budget }: Contest & { readonly budget: number }) {
    const { timeScans } = await import('./measures/scan.ts')
    return timeScans(await prepare(contestant, root), budget)
  },
  async inspect({ contestant: id, root }: Contest) {
    const { weighResult } = await import('./measures/scan.ts')
    const contestant = await prepare(id, root)
    const kept = await weighResult(contestant)
    return { kept, correctness: await check(contestant, root) }
  },
  async prompt({ contestant: id, root }: Contest) {
    const { timeFirstPrompt } = await import('./measures/scan.ts')
    const { taken, contestant } = await timeFirstPrompt(CONTESTANTS[id].load, root)
    return { taken, correctness: await check(contestant, root) }
  },
  activations: async (folder: string) => (await import('./measures/in-use.ts')).timeActivations(folder),
  calls: async (call: ShownCall) => (await import('./measures/in-use.ts')).timeCalls(call),
  steps: async ({ root, style }: { readonly root: string; readonly style: ListingStyle }) =>
    (await import('./measures/in-use.ts')).timeSteps(root, style),
  search: async ({ root, figure }: { readonly root: string; readonly figure: SearchFigure }) =>
    (await import('./measures/searches.ts')).measureSearch(root, figure),
  async agent({ adapter, root }: { readonly adapter: AdapterId; readonly root: string }) {
    const { timeAgentSteps } = await import('./measures/agent-steps.ts')
    return timeAgentSteps((await ADAPTERS[adapter].load()).prepareAgent, root)
  },
  context: async (figure: ContextFigure) => (await import('./measures/context-tokens.ts')).countContext(figure),
  async system(system: SystemId) {
    const { countAdded } = await import('./measures/added-tokens.ts')
    return countAdded((await SYSTEMS[system].load()).show)
  },
  runner: async (runner: RunnerId) => (await import('./measures/runner-runs.ts')).timeRunner(runner),
  saves: async (engine: EngineId) => (await import('./measures/saves.ts')).timeSaves(engine),
}

const [kind, input] = JSON.parse(process.argv[2] ?? '') as [keyof Jobs, never]
writeSync(ANSWER_FD, JSON.stringify(await JOBS[kind](input)))
// Some contestants leave timers and sockets behind.
process.exit(0)

async function prepare(id: ContestantId, root: string): Promise<Contestant> {
  const contestant = await (await CONTESTANTS[id].load()).prepare(root)
  await contestant.warmUp?.()
  return contestant
}

async function check({ scan, read }: Contestant, root: string): Promise<Correctness> {
  const { compare, readTruth } = await import('./measures/correctness.ts')
  return compare(read((await scan()) as never), readTruth(root))
}
