import { CONTESTANTS, type ContestantId } from '../contestants/index.ts'
import type { Correctness } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { steady, type Summary, summarise } from '../statistics.ts'
import { takeTurns } from '../turns.ts'

/** A folder of skills that all contestants read. */
export interface Tree {
  readonly root: string
  readonly skills: number
  /** The file with what the `yaml` package reads. */
  readonly truth: string
}

/** One contestant on one tree. Times in milliseconds, sizes in bytes. */
export interface DiscoveryRow {
  readonly id: ContestantId
  readonly title: string
  readonly role: 'floor' | 'own' | 'peer'
  readonly first?: Summary
  readonly repeated?: Summary
  readonly reload?: Summary
  /** Medians over the floor's. */
  readonly firstOverFloor?: number
  readonly repeatedOverFloor?: number
  readonly reloadOverFloor?: number
  readonly heapPerSkill?: number
  readonly peakRss?: number
  readonly correctness?: Correctness
  /** Why figures are missing. */
  readonly absent?: string
}

/** One tree with all contestants. */
export interface Discovery {
  readonly skills: number
  /** How many skills the `yaml` package reads with a name and a description. */
  readonly readable: number
  readonly rows: readonly DiscoveryRow[]
}

/** A contestant that found skills and listed them, in processes that did nothing else. */
export interface PromptRow extends Pick<DiscoveryRow, 'id' | 'title' | 'role' | 'correctness' | 'absent'> {
  /** Milliseconds from the import to the list. */
  readonly taken?: Summary
  /** The same in each round, from the first. A slow contestant has fewer. */
  readonly rounds?: readonly number[]
  /** The length of the list. */
  readonly characters?: number
}

export interface FirstPrompt {
  readonly skills: number
  readonly readable: number
  readonly rows: readonly PromptRow[]
}

export interface ContestOptions extends ChildOptions {
  readonly contestants: readonly ContestantId[]
  readonly rounds: number
  /** Milliseconds: a peer that has taken longer in all does not run again. */
  readonly patience: number
  readonly progress: (text: string) => void
}

/**
 * Lets every contestant scan a tree, each time in a fresh process, in turns.
 * @param budget about how many milliseconds the repeated scans of a process may take
 */
export async function measureDiscovery(
  tree: Tree,
  { budget, ...options }: ContestOptions & { readonly budget: number },
): Promise<Discovery> {
  const { root, skills, truth } = tree
  const { contestants, progress } = options
  const { readable } = await runChild({ kind: 'truth', root, truth }, { ...options, timeout: 600_000 })
  const turns = await takeTurns(contestants, turnsOf(options), (contestant, round) => {
    progress(`${skills} skills: round ${round + 1}, ${contestant}`)
    return runChild({ kind: 'scan', contestant, root, budget }, options)
  })
  const rows: DiscoveryRow[] = []
  for (const [id, { answers, failure }] of turns) {
    progress(`${skills} skills: what ${id} found and keeps`)
    const { title, role } = CONTESTANTS[id]
    if (answers.length === 0) {
      rows.push({ id, title, role, absent: failure ?? 'not run' })
      continue
    }
    const reloads = answers.filter((answer) => answer.reloads.length > 0)
    rows.push({
      id,
      title,
      role,
      first: summarise(answers.map(({ first }) => first)),
      repeated: summarise(answers.map(({ repeated }) => steady(repeated))),
      ...(reloads.length > 0 && { reload: summarise(reloads.map((answer) => steady(answer.reloads))) }),
      peakRss: summarise(answers.map(({ peakRss }) => peakRss)).median,
      ...(role !== 'floor' && (await inspect(id, tree, options))),
    })
  }
  return { skills, readable, rows: withRatios(rows) }
}

/** Times everything from the import to the list, each time in a fresh process, in turns. */
export async function measureFirstPrompt({ root, skills, truth }: Tree, options: ContestOptions): Promise<FirstPrompt> {
  const { readable } = await runChild({ kind: 'truth', root, truth }, options)
  const contestants = options.contestants.filter((id) => CONTESTANTS[id].role !== 'floor')
  const turns = await takeTurns(contestants, turnsOf(options), (contestant, round) => {
    options.progress(`first prompt: round ${round + 1}, ${contestant}`)
    return runChild({ kind: 'prompt', contestant, root, truth }, options)
  })
  const rows = Array.from(turns, ([id, { answers, failure }]): PromptRow => {
    const { title, role } = CONTESTANTS[id]
    const last = answers.at(-1)
    if (last === undefined) return { id, title, role, absent: failure ?? 'not run' }
    const { characters, correctness } = last
    const rounds = answers.map(({ taken }) => taken)
    return { id, title, role, taken: summarise(rounds), rounds, characters, correctness }
  })
  return { skills, readable, rows }
}

function turnsOf({ rounds, patience }: ContestOptions) {
  return { rounds, patience: (id: ContestantId) => (CONTESTANTS[id].role === 'peer' ? patience : Infinity) }
}

async function inspect(
  contestant: ContestantId,
  { root, truth, skills }: Tree,
  options: ChildOptions,
): Promise<Pick<DiscoveryRow, 'heapPerSkill' | 'correctness' | 'absent'>> {
  try {
    const { kept, correctness } = await runChild({ kind: 'inspect', contestant, root, truth }, options)
    return { heapPerSkill: kept / skills, correctness }
  } catch (error) {
    if (!(error instanceof ChildFailure)) throw error
    return { absent: error.message }
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
    ...(row.reload !== undefined && { reloadOverFloor: row.reload.median / repeated }),
  }))
}
