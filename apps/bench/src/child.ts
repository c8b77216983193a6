import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import process from 'node:process'
import { ADAPTERS } from './adapters/index.ts'
import { CONTESTANTS, type ContestantId } from './contestants/index.ts'
import type { Contestant } from './contestants/contestant.ts'
import type { Answers, Job } from './job.ts'
import type { Truth } from './measures/correctness.ts'

/** The file descriptor for answers, so that they do not mix with what a contestant prints. */
const ANSWER_FD = 3

type JobOf<K extends Job['kind']> = Job & { readonly kind: K }

// Each job imports only what it needs, because a module that is loaded before a measurement changes it.
const JOBS: { readonly [K in Job['kind']]: (job: JobOf<K>) => Promise<Answers[K]> } = {
  async truth({ root, truth: path }) {
    const { readTruth } = await import('./measures/correctness.ts')
    const truth = readTruth(root)
    writeFileSync(path, JSON.stringify([...truth]))
    return { readable: truth.size }
  },
  async scan({ contestant, root, budget }) {
    const { timeScans } = await import('./measures/scan.ts')
    return timeScans(await prepare(contestant, root), budget)
  },
  async inspect({ contestant: id, root, truth }) {
    const { weighResult } = await import('./measures/heap.ts')
    const contestant = await prepare(id, root)
    const kept = await weighResult(contestant)
    const { compare } = await import('./measures/correctness.ts')
    const found = contestant.read((await contestant.scan()) as never)
    return { kept, correctness: compare(found, readTruthFrom(truth)) }
  },
  async prompt({ contestant, root, truth }) {
    const { timeFirstPrompt } = await import('./measures/scan.ts')
    const { read, ...timed } = await timeFirstPrompt(CONTESTANTS[contestant].load, root)
    const { compare } = await import('./measures/correctness.ts')
    return { ...timed, correctness: compare(await read(), readTruthFrom(truth)) }
  },
  activations: async ({ folder }) => (await import('./measures/in-use.ts')).timeActivations(folder),
  calls: async ({ call }) => (await import('./measures/in-use.ts')).timeCalls(call),
  steps: async ({ root, style }) => (await import('./measures/in-use.ts')).timeSteps(root, style),
  search: async ({ root, figure }) => (await import('./measures/searches.ts')).measureSearch(root, figure),
  async agent({ adapter, root }) {
    const { timeAgentSteps } = await import('./measures/agent-steps.ts')
    return timeAgentSteps((await ADAPTERS[adapter].load()).prepareAgent, { root })
  },
  runner: async ({ runner }) => (await import('./measures/runner-runs.ts')).timeRunner(runner),
  saves: async ({ engine }) => (await import('./measures/saves.ts')).timeSaves(engine),
}

const job = JSON.parse(process.argv[2] ?? '') as Job
const runJob: (job: never) => Promise<unknown> = JOBS[job.kind]
writeSync(ANSWER_FD, JSON.stringify(await runJob(job as never)))
// Some contestants leave timers and sockets behind.
process.exit(0)

async function prepare(id: ContestantId, root: string): Promise<Contestant> {
  const contestant = await (await CONTESTANTS[id].load()).prepare(root)
  await contestant.warmUp?.()
  return contestant
}

function readTruthFrom(path: string): Truth {
  return new Map(JSON.parse(readFileSync(path, 'utf8')) as [string, string][])
}
