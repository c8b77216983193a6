import { existsSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type Aim, checkAims, type Measured } from './aims.ts'
import { COMPARED_PARTS, type ComparedPart, comparisonsOf, measureComparisons } from './comparisons.ts'
import { CONTESTANTS } from './contestants/index.ts'
import { writeTree } from './generator/skill.ts'
import { type Discovery, measureDiscovery, measureFirstPrompt, type Tree } from './measures/discovery.ts'
import { measureSystems } from './measures/system-tokens.ts'
import type { Options } from './options.ts'

/** Everything that a run found, as it is written as JSON. */
export interface Results extends Measured {
  readonly date: string
  /** The machine. Times cannot be compared with those of other machines. */
  readonly machine: {
    readonly node: string
    readonly platform: string
    readonly processor: string
    readonly cores: number
    /** Running processes, over the last minute, before and after. */
    readonly load: readonly [before: number, after: number]
  }
  readonly measured: 'dist' | 'source'
  readonly seed: number
  readonly aims: readonly Aim[]
}

const TIMEOUT = 300_000

/**
 * Measures everything that the options ask for. Creates trees in `folder` and does not remove them.
 * @param progress gets the current activity
 */
export async function runBench(options: Options, folder: string, progress: (text: string) => void): Promise<Results> {
  const { source, sizes, rounds, parts, seed, contestants } = options
  const child = { source, timeout: TIMEOUT, progress }
  const [before = 0] = loadavg()
  const tree = (skills: number): Tree => {
    const root = join(folder, `generated-${skills}`)
    if (!existsSync(root)) {
      progress(`making ${skills} skills`)
      writeTree(root, skills, seed)
    }
    return { root, skills }
  }
  const [smallest = 1, ...larger] = sizes
  const discoveries: Discovery[] = []
  if (parts.includes('discovery')) {
    discoveries.push(await measureDiscovery(tree(smallest), { ...options, ...child }))
    // Peers are compared on the smallest tree. A larger one shows how ours grows.
    const few = {
      rounds: Math.min(2, rounds),
      contestants: contestants.filter((id) => CONTESTANTS[id].role !== 'peer'),
    }
    for (const skills of larger)
      discoveries.push(await measureDiscovery(tree(skills), { ...options, ...child, ...few }))
  }
  const compared = comparisonsOf(
    (Object.keys(COMPARED_PARTS) as ComparedPart[]).filter((part) => parts.includes(part)),
    { ...options, folder, used: smallest, tree: (skills) => tree(skills).root },
  )
  const results = {
    discoveries,
    ...(parts.includes('prompt') && { prompt: await measureFirstPrompt(tree(smallest), { ...options, ...child }) }),
    ...(parts.includes('context') && { systems: await measureSystems(child) }),
    comparisons: await measureComparisons(compared, { ...child, rounds }),
  }
  return {
    date: new Date().toISOString(),
    machine: {
      node: process.version,
      platform: `${platform()} ${arch()}`,
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      load: [before, loadavg()[0] ?? 0],
    },
    measured: source ? 'source' : 'dist',
    seed,
    ...results,
    aims: checkAims(results),
  }
}
