import { CONTESTANTS, type ContestantId } from '../contestants/index.ts'
import type { Answers, Correctness } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { type Summary, summarise } from '../statistics.ts'

/** A folder of skills that all contestants scan. */
export interface Tree {
  readonly title: string
  /** Whether its skills are generated. */
  readonly generated: boolean
  readonly root: string
  readonly skills: number
  /** The file with what the `yaml` package reads. */
  readonly truth: string
}

/** One contestant on one tree. */
export interface DiscoveryRow {
  readonly id: ContestantId
  readonly title: string
  readonly role: 'floor' | 'least' | 'own' | 'peer'
  /** Milliseconds; missing if it was not measured: `absent` says why. */
  readonly first?: Summary
  readonly repeated?: Summary
  /** Medians over the floor's. */
  readonly firstOverFloor?: number
  readonly repeatedOverFloor?: number
  /** In bytes. */
  readonly heapPerSkill?: number
  readonly peakRss?: number
  readonly correctness?: Correctness
  readonly absent?: string
}

/** One tree with all contestants. */
export interface Discovery {
  readonly title: string
  readonly generated: boolean
  readonly skills: number
  /** How many of them the `yaml` package reads with a name and a description. */
  readonly readable: number
  readonly rows: readonly DiscoveryRow[]
}

/** How long it may take. */
export interface DiscoveryOptions extends ChildOptions {
  readonly contestants: readonly ContestantId[]
  /** Contestants that are listed but not run, with the reason. */
  readonly leftOut: ReadonlyMap<ContestantId, string>
  readonly rounds: number
  /** Milliseconds after which a contestant, except the floor and ours, is left out of further rounds. */
  readonly contestantBudget: number
  /** Milliseconds for the repeated scans of one process. */
  readonly budget: number
  /** Milliseconds: a contestant whose first scan is expected to take longer is not run. */
  readonly patience: number
  readonly progress: (text: string) => void
}

interface Samples {
  readonly scans: Answers['scan'][]
  spent: number
  failure?: string
}

/**
 * Lets every contestant scan a tree, each time in a fresh process, in turns, so that what else the machine does
 * meets all of them.
 * @param expected milliseconds that a first scan will take, by what was seen on a smaller tree
 */
export async function measureDiscovery(
  tree: Tree,
  options: DiscoveryOptions,
  expected: ReadonlyMap<ContestantId, number> = new Map(),
): Promise<Discovery> {
  const { contestants, rounds, contestantBudget, budget, patience, progress } = options
  const { root, truth } = tree
  const { readable } = await runChild({ kind: 'truth', root, truth }, { ...options, timeout: 600_000 })
  const samples = new Map<ContestantId, Samples>(contestants.map((id) => [id, { scans: [], spent: 0 }]))
  for (const [id, sample] of samples) {
    const time = expected.get(id) ?? 0
    if (time > patience) sample.failure = `not run: about ${Math.round(time / 1000)} s a scan, by the smaller tree`
  }
  for (let round = 0; round < rounds; round++) {
    // The position in a round matters, since the state of the processor changes: each contestant is first in some
    // round.
    for (const id of rotated(contestants, round)) {
      const sample = samples.get(id)
      if (sample === undefined || sample.failure !== undefined) continue
      if (CONTESTANTS[id].role === 'peer' && sample.spent > contestantBudget) continue
      progress(`${tree.title}: round ${round + 1} of ${rounds}, ${id}`)
      const start = performance.now()
      try {
        sample.scans.push(await runChild({ kind: 'scan', contestant: id, root, budget }, options))
      } catch (error) {
        sample.failure = reason(error)
      }
      sample.spent += performance.now() - start
    }
  }
  for (const [id, failure] of options.leftOut) samples.set(id, { scans: [], spent: 0, failure })
  const rows: DiscoveryRow[] = []
  for (const [id, { scans, failure }] of samples) {
    progress(`${tree.title}: what ${id} found and keeps`)
    const { title, role } = CONTESTANTS[id]
    if (scans.length === 0) rows.push({ id, title, role, absent: failure ?? 'not run' })
    else rows.push({ id, title, role, ...timesOf(scans), ...(role !== 'floor' && (await findings(id, tree, options))) })
  }
  return { title: tree.title, generated: tree.generated, skills: tree.skills, readable, rows: withRatios(rows) }
}

function timesOf(scans: readonly Answers['scan'][]): Pick<DiscoveryRow, 'first' | 'repeated' | 'peakRss'> {
  return {
    first: summarise(scans.map(({ first }) => first)),
    // The steady value of a process: the first few scans still warm up.
    repeated: summarise(scans.map(({ repeated }) => summarise(repeated.slice(repeated.length >> 1)).median)),
    peakRss: summarise(scans.map(({ peakRss }) => peakRss)).median,
  }
}

async function findings(
  contestant: ContestantId,
  { root, truth, skills }: Tree,
  options: ChildOptions,
): Promise<Pick<DiscoveryRow, 'heapPerSkill' | 'correctness' | 'absent'>> {
  try {
    const { heap, correctness } = await runChild({ kind: 'inspect', contestant, root, truth }, options)
    return { heapPerSkill: heap.kept / skills, correctness }
  } catch (error) {
    return { absent: reason(error) }
  }
}

function withRatios(rows: readonly DiscoveryRow[]): DiscoveryRow[] {
  const floor = rows.find(({ role }) => role === 'floor')
  if (floor?.first === undefined || floor.repeated === undefined) return [...rows]
  const [first, repeated] = [floor.first.median, floor.repeated.median]
  return rows.map((row) => ({
    ...row,
    ...(row.first !== undefined && { firstOverFloor: row.first.median / first }),
    ...(row.repeated !== undefined && { repeatedOverFloor: row.repeated.median / repeated }),
  }))
}

function rotated<T>(values: readonly T[], by: number): T[] {
  const start = by % values.length
  return [...values.slice(start), ...values.slice(0, start)]
}

function reason(error: unknown): string {
  if (error instanceof ChildFailure) return error.message
  throw error
}
