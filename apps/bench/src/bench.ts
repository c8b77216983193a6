import { existsSync } from 'node:fs'
import { availableParallelism, arch, cpus, loadavg, platform } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { checkAims } from './aims.ts'
import type { ContestantId } from './contestants/index.ts'
import { flattenInto } from './generator/flatten.ts'
import { writeTree } from './generator/tree.ts'
import { type Discovery, measureDiscovery, type Tree } from './measures/discovery.ts'
import { measureAgents } from './measures/agents.ts'
import { measureFirstPrompt } from './measures/first-prompt.ts'
import { measureImports } from './measures/imports.ts'
import { measureLateImports } from './measures/late.ts'
import { measureSearch } from './measures/search.ts'
import { measureLibrary } from './measures/library.ts'
import { measureRunners } from './measures/runners.ts'
import { measureSessions, measureStores } from './measures/stores.ts'
import { measureUse } from './measures/use.ts'
import type { Options } from './options.ts'
import type { Results } from './results.ts'
import { measureSoak } from './soak/measure.ts'
import type { Sample } from './soak/sample.ts'

/** Progress reports. */
export interface Listener {
  /** The current activity. */
  readonly progress: (text: string) => void
  /** Parts of the results, as soon as they are there. */
  readonly discovery: (discovery: Discovery) => void
  /** What a soak holds, at each interval. */
  readonly sample: (sample: Sample, isFirst: boolean) => void
}

const TIMEOUT = 300_000
const OF_A_TREE: readonly Options['parts'][number][] = ['discovery', 'prompt', 'use', 'library']

/** Measures everything requested. Trees are created in `folder` and not removed. */
export async function runBench(options: Options, folder: string, listener: Listener): Promise<Results> {
  const { source, sizes, rounds, parts, seed, corpus } = options
  const { progress, sample } = listener
  const child = { source, timeout: TIMEOUT }
  const half = Math.ceil(rounds / 2)
  const [before = 0] = loadavg()
  const generated = (size: number): Tree => {
    const root = join(folder, `generated-${size}`, 'skills')
    if (!existsSync(root)) {
      progress(`making ${size} skills`)
      writeTree(root, size, seed)
    }
    return { title: 'generated', generated: true, root, skills: size, truth: join(dirname(root), 'truth.json') }
  }
  const [smallest = 1] = sizes
  const first = parts.some((part) => OF_A_TREE.includes(part)) ? generated(smallest) : undefined
  const discoveries: Discovery[] = []
  if (first !== undefined && parts.includes('discovery')) {
    for (const [index, size] of sizes.entries()) {
      const former = discoveries.at(-1)
      const found = await measureDiscovery(
        index === 0 ? first : generated(size),
        {
          ...options,
          ...child,
          ...(index > 0 && { contestants: options.onLarge, leftOut: new Map() }),
          rounds: Math.max(Math.min(2, rounds), Math.ceil(rounds / (index + 1))),
          progress,
        },
        expectedTimes(former, size),
      )
      discoveries.push(found)
      listener.discovery(found)
    }
    if (corpus !== undefined) {
      progress('copying the real skills')
      const root = join(folder, 'real', 'skills')
      const skills = flattenInto(root, corpus)
      const tree = { title: 'real skills', generated: false, root, skills, truth: join(dirname(root), 'truth.json') }
      const found = await measureDiscovery(tree, { ...options, ...child, rounds: Math.ceil(rounds / 2), progress })
      discoveries.push(found)
      listener.discovery(found)
    }
  }
  const late = parts.includes('discovery') && options.contestants.includes('repertoire')
  const results = {
    discoveries,
    ...(first !== undefined && {
      ...(late && { late: await measureLateImports(first.root, { ...child, rounds: half }) }),
      ...(parts.includes('prompt') && {
        prompt: await measureFirstPrompt(first, { ...options, ...child, rounds: options.promptRounds, progress }),
      }),
      ...(parts.includes('library') && {
        library: await measureLibrary(first.root, { ...child, rounds: half, count: options.libraryRuns, progress }),
      }),
      ...(parts.includes('use') && { use: await measureUse(first, { ...options, ...child, rounds: half, progress }) }),
    }),
    ...(parts.includes('search') && {
      search: await measureSearch(generated(options.searchedSkills), { ...child, rounds: half, progress }),
    }),
    ...(parts.includes('agents') && {
      agents: await measureAgents(options.agentSizes.map(generated), {
        ...child,
        rounds: half,
        adapters: options.adapters,
        runs: options.agentRuns,
        progress,
      }),
    }),
    ...(parts.includes('runners') && {
      runners: await measureRunners({ ...child, rounds: half, runs: options.runnerRuns, progress }),
    }),
    ...(parts.includes('stores') && {
      stores: await measureStores({
        ...child,
        skills: 1_000,
        saves: options.storeSaves,
        scans: options.storeScans,
        tenants: options.storeTenants,
        progress,
      }),
      sessions: await measureSessions({ ...child, runs: options.storeSaves, progress }),
    }),
    ...(parts.includes('imports') && {
      imports: await measureImports(options.entries, { rounds: options.importRounds, source, folder, progress }),
    }),
    ...(parts.includes('soak') && {
      soak: await measureSoak({ source, minutes: options.minutes, seed, progress, sample }),
    }),
  }
  return {
    version: 1,
    date: new Date().toISOString(),
    machine: {
      node: process.version,
      platform: `${platform()} ${arch()}`,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      load: [before, loadavg()[0] ?? 0],
      // The trees have just been written: no disk is waited for.
      cache: 'warm',
    },
    measured: source ? 'source' : 'dist',
    seed,
    ...results,
    aims: checkAims(results),
  }
}

/** How long a first scan will take, if it grows with the number of skills. */
function expectedTimes(former: Discovery | undefined, size: number): ReadonlyMap<ContestantId, number> {
  if (former === undefined) return new Map()
  const factor = size / former.skills
  // What was left out for being slow stays out.
  return new Map(former.rows.map(({ id, first }) => [id, first === undefined ? Infinity : first.median * factor]))
}
