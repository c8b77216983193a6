import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { type Aim, checkAims, type Measured } from './aims.ts'
import { COMPARED_PARTS, comparisonsOf, measureComparisons } from './comparisons.ts'
import { CONTESTANTS } from './contestants/index.ts'
import { writeTree } from './generator/tree.ts'
import { type Discovery, measureDiscovery, measureFirstPrompt, type Tree } from './measures/discovery.ts'
import type { Options } from './options.ts'

/** Everything that a run found, as it is written as JSON. */
export interface Results extends Measured {
  readonly version: 2
  readonly date: string
  /** Where it was measured. Times mean something on this machine alone. */
  readonly machine: {
    readonly node: string
    readonly platform: string
    readonly processor: string
    readonly cores: number
    /** Running processes, over the last minute, before and after. */
    readonly load: readonly [before: number, after: number]
    readonly cache: 'warm'
  }
  readonly measured: 'dist' | 'source'
  readonly seed: number
  readonly aims: readonly Aim[]
}

export interface Listener {
  /** Gets the current activity. */
  readonly progress: (text: string) => void
  /** Gets each tree's results as soon as they are there. */
  readonly discovery: (discovery: Discovery) => void
}

const TIMEOUT = 300_000

/** Creates a folder that is removed when the process ends, or earlier. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'repertoire-bench-'))
  const remove = (): void => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  }
  process.once('exit', remove)
  return { path, remove }
}

/** Measures everything that the options ask for. Creates trees in `folder` and does not remove them. */
export async function runBench(options: Options, folder: string, listener: Listener): Promise<Results> {
  const { source, sizes, rounds, parts, seed, contestants } = options
  const { progress } = listener
  const child = { source, timeout: TIMEOUT, progress }
  const [before = 0] = loadavg()
  const tree = (skills: number): Tree => {
    const root = join(folder, `generated-${skills}`, 'skills')
    if (!existsSync(root)) {
      progress(`making ${skills} skills`)
      writeTree(root, skills, seed)
    }
    return { root, skills, truth: join(dirname(root), 'truth.json') }
  }
  const [smallest = 1] = sizes
  const discoveries: Discovery[] = []
  if (parts.includes('discovery')) {
    for (const skills of sizes) {
      // Peers are compared on the smallest tree. A larger one shows how ours grows.
      const ofTree =
        skills === smallest
          ? options
          : {
              ...options,
              rounds: Math.min(2, rounds),
              contestants: contestants.filter((id) => CONTESTANTS[id].role !== 'peer'),
            }
      const discovery = await measureDiscovery(tree(skills), { ...ofTree, ...child })
      discoveries.push(discovery)
      listener.discovery(discovery)
    }
  }
  const compared = comparisonsOf(
    COMPARED_PARTS.filter((part) => parts.includes(part)),
    { ...options, folder, used: smallest, tree: (skills) => tree(skills).root },
  )
  const results = {
    discoveries,
    ...(parts.includes('prompt') && { prompt: await measureFirstPrompt(tree(smallest), { ...options, ...child }) }),
    comparisons: await measureComparisons(compared, { ...child, rounds }),
  }
  return {
    version: 2,
    date: new Date().toISOString(),
    machine: {
      node: process.version,
      platform: `${platform()} ${arch()}`,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      load: [before, loadavg()[0] ?? 0],
      // The trees have just been written, so no read waits for a disk.
      cache: 'warm',
    },
    measured: source ? 'source' : 'dist',
    seed,
    ...results,
    aims: checkAims(results),
  }
}
