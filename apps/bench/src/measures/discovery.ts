import { type ContestantId, CONTESTANTS, type Entry } from '../contestants/index.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { steady, type Summary, summarise } from '../statistics.ts'
import { takeTurns } from '../turns.ts'
import type { Correctness } from './correctness.ts'

/** A contestant in a table. */
interface ContestantRow extends Pick<Entry, 'title' | 'role'> {
  readonly id: ContestantId
  readonly correctness?: Correctness
  /** Why figures are missing. */
  readonly absent?: string
}

/** One contestant on one tree. Times in milliseconds, sizes in bytes. */
export interface DiscoveryRow extends ContestantRow {
  readonly first?: Summary
  readonly repeated?: Summary
  readonly reload?: Summary
  readonly heapPerSkill?: number
}

/** One tree with all contestants. */
export interface Discovery {
  readonly skills: number
  readonly rows: readonly DiscoveryRow[]
}

/** A contestant that found skills and listed them, in processes that did nothing else. */
export interface PromptRow extends ContestantRow {
  /** Milliseconds from the import to the list. */
  readonly taken?: Summary
  /** The same in each round, from the first. */
  readonly rounds?: readonly number[]
  /** The length of the list. */
  readonly characters?: number
}

export interface FirstPrompt {
  readonly skills: number
  readonly rows: readonly PromptRow[]
}

/** A folder of skills that all contestants read. */
export interface Tree {
  readonly root: string
  readonly skills: number
}

export interface ContestOptions extends ChildOptions {
  readonly contestants: readonly ContestantId[]
  readonly rounds: number
  readonly progress: (text: string) => void
}

/**
 * Lets every contestant scan a tree, each time in a fresh process, in turns.
 * @param budget about how many milliseconds the repeated scans of a process may take
 */
export async function measureDiscovery(
  { root, skills }: Tree,
  { budget, contestants, rounds, progress, ...child }: ContestOptions & { readonly budget: number },
): Promise<Discovery> {
  const turns = await takeTurns(contestants, rounds, (contestant, round) => {
    progress(`${skills} skills: round ${round + 1}, ${contestant}`)
    return runChild('scan', { contestant, root, budget }, child)
  })
  const rows: DiscoveryRow[] = []
  for (const [id, { answers, failure }] of turns) {
    const row = described(id)
    if (failure !== undefined) {
      rows.push({ ...row, absent: failure })
      continue
    }
    progress(`${skills} skills: what ${id} found and keeps`)
    const reloads = answers.map((answer) => answer.reloads).filter((times) => times.length > 0)
    rows.push({
      ...row,
      first: summarise(answers.map(({ first }) => first)),
      repeated: summarise(answers.map(({ repeated }) => steady(repeated))),
      ...(reloads.length > 0 && { reload: summarise(reloads.map(steady)) }),
      ...(row.role !== 'floor' && (await inspect(id, { root, skills }, child))),
    })
  }
  return { skills, rows }
}

/** Times everything from the import to the list, each time in a fresh process, in turns. */
export async function measureFirstPrompt(
  { root, skills }: Tree,
  { contestants, rounds, progress, ...child }: ContestOptions,
): Promise<FirstPrompt> {
  const loaders = contestants.filter((id) => CONTESTANTS[id].role !== 'floor')
  const turns = await takeTurns(loaders, rounds, (contestant, round) => {
    progress(`first prompt: round ${round + 1}, ${contestant}`)
    return runChild('prompt', { contestant, root }, child)
  })
  const rows = Array.from(turns, ([id, { answers, failure }]): PromptRow => {
    if (failure !== undefined) return { ...described(id), absent: failure }
    const times = answers.map(({ taken }) => taken)
    const { characters, correctness } = answers.at(-1)!
    return { ...described(id), taken: summarise(times), rounds: times, characters, correctness }
  })
  return { skills, rows }
}

function described(id: ContestantId): ContestantRow {
  const { title, role } = CONTESTANTS[id]
  return { id, title, role }
}

async function inspect(
  contestant: ContestantId,
  { root, skills }: Tree,
  child: ChildOptions,
): Promise<Pick<DiscoveryRow, 'heapPerSkill' | 'correctness' | 'absent'>> {
  try {
    const { kept, correctness } = await runChild('inspect', { contestant, root }, child)
    return { heapPerSkill: kept / skills, correctness }
  } catch (error) {
    if (!(error instanceof ChildFailure)) throw error
    return { absent: error.message }
  }
}
