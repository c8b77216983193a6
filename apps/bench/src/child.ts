import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import process from 'node:process'
import { ADAPTERS } from './adapters/index.ts'
import type { Contestant } from './contestants/contestant.ts'
import { CONTESTANTS, type ContestantId } from './contestants/index.ts'
import type { Answers, Job } from './job.ts'
import type { Truth } from './measures/correctness.ts'
import type { Sampled } from './measures/skills.ts'

/** The file descriptor for answers, so that they do not mix with what a contestant prints. */
const ANSWER_FD = 3

type JobOf<K extends Job['kind']> = Job & { readonly kind: K }

// Each imports no more than it needs: what is loaded before a measurement changes it.
const JOBS: { readonly [K in Job['kind']]: (job: JobOf<K>) => Promise<Answers[K]> } = {
  async scan({ contestant: id, root, budget, preload = [] }) {
    const { timeScans } = await import('./measures/scan.ts')
    const contestant = await prepare(id, root)
    for (const url of preload) await import(url)
    return timeScans(contestant, budget)
  },
  async inspect({ contestant: id, root, truth }) {
    const { weighResult } = await import('./measures/heap.ts')
    const contestant = await prepare(id, root)
    const heap = await weighResult(contestant)
    const { compare } = await import('./measures/correctness.ts')
    const found = contestant.read((await contestant.scan()) as never)
    return { heap, correctness: compare(found, readTruthFrom(truth)) }
  },
  async lateModules({ contestant, root }) {
    const { lateModules } = await import('./measures/late-modules.ts')
    return lateModules(await prepare(contestant, root))
  },
  async truth({ root, truth: path }) {
    const { readTruth } = await import('./measures/correctness.ts')
    const { truth, folders } = readTruth(root)
    writeFileSync(path, JSON.stringify([...truth]))
    return { folders, readable: truth.size }
  },
  async sample({ root, count, sample }) {
    const { sampleSkills } = await import('./measures/skills.ts')
    const skills = await sampleSkills(root, count)
    writeFileSync(sample, JSON.stringify(skills))
    return { count: skills.length }
  },
  async activate({ root, sample }) {
    const { timeActivations } = await import('./measures/activation.ts')
    return timeActivations(root, readSample(sample))
  },
  async readFolders({ sample, way }) {
    const { timeAsyncReadings, timeReadings } = await import('./measures/read-folders.ts')
    const skills = readSample(sample)
    return way === 'promises' ? timeAsyncReadings(skills) : timeReadings(skills)
  },
  async steps({ root, style }) {
    const { timeSteps } = await import('./measures/steps.ts')
    return timeSteps(root, style)
  },
  async reload({ root }) {
    const { timeReloads } = await import('./measures/reload.ts')
    return timeReloads(root)
  },
  async calls({ of, batches }) {
    const { timeCalls } = await import('./measures/calls.ts')
    return timeCalls(of, batches)
  },
  async prompt({ contestant: id, root, truth, plain }) {
    const { timeFirstPrompt } = await import('./measures/prompt.ts')
    const { read, ...timed } = await timeFirstPrompt(CONTESTANTS[id].load, root, plain)
    const { compare } = await import('./measures/correctness.ts')
    return { ...timed, correctness: compare(await read(), readTruthFrom(truth)) }
  },
  async agentSteps({ adapter, root, runs }) {
    const { timeAgentSteps } = await import('./measures/agent-steps.ts')
    return timeAgentSteps((await ADAPTERS[adapter].load()).prepareAgent, { root, runs })
  },
  async agentScripts({ adapter, runs }) {
    const { timeAgentScripts } = await import('./measures/agent-steps.ts')
    return timeAgentScripts((await ADAPTERS[adapter].load()).prepareAgent, { runs })
  },
  async runners({ runs }) {
    const { timeRunnerStarts } = await import('./measures/runner-starts.ts')
    return timeRunnerStarts(runs)
  },
  async search({ engine, root }) {
    const { timeSearch } = await import('./measures/search-times.ts')
    return timeSearch(engine, root)
  },
  async stores({ engine, ...extent }) {
    const { timeStore } = await import('./stores/time.ts')
    return timeStore(engine, extent)
  },
  async sessions({ store, runs }) {
    const { timeSessions } = await import('./stores/sessions.ts')
    return timeSessions(store, runs)
  },
  async library({ root, count }) {
    const { timeLibrary } = await import('./measures/library-times.ts')
    return timeLibrary(root, count)
  },
  async soak({ seconds, seed }) {
    const { soak } = await import('./soak/soak.ts')
    return soak({ seconds, seed, onSample: (sample) => process.stdout.write(`${JSON.stringify(sample)}\n`) })
  },
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

function readSample(path: string): readonly Sampled[] {
  return JSON.parse(readFileSync(path, 'utf8')) as readonly Sampled[]
}
