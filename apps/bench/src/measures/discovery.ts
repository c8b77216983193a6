import { type ContestantId, CONTESTANTS, type Entry } from '../contestants/index.ts'
import { type ChildOptions, runChild, takeTurns } from '../run-child.ts'
import { steady, type Summary, summarise } from '../statistics.ts'
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
  const inspected = await takeTurns(contestants.filter(isReader), 1, (contestant) => {
    progress(`${skills} skills: what ${contestant} found and keeps`)
    return runChild('inspect', { contestant, root }, child)
  })
  const rows = Array.from(turns, ([id, { answers, failure }]): DiscoveryRow => {
    const found = inspected.get(id)
    const absent = failure ?? found?.failure
    if (absent !== undefined) return { ...described(id), absent }
    const reloads = answers.map((answer) => answer.reloads).filter((times) => times.length > 0)
    return {
      ...described(id),
      first: summarise(answers.map(({ first }) => first)),
      repeated: summarise(answers.map(({ repeated }) => steady(repeated))),
      ...(reloads.length > 0 && { reload: summarise(reloads.map(steady)) }),
      ...found?.answers.map(({ kept, correctness }) => ({ heapPerSkill: kept / skills, correctness }))[0],
    }
  })
  return { skills, rows }
}

/** Times everything from the import to the list, each time in a fresh process, in turns. */
export async function measureFirstPrompt(
  { root, skills }: Tree,
  { contestants, rounds, progress, ...child }: ContestOptions,
): Promise<FirstPrompt> {
  const turns = await takeTurns(contestants.filter(isReader), rounds, (contestant, round) => {
    progress(`first prompt: round ${round + 1}, ${contestant}`)
    return runChild('prompt', { contestant, root }, child)
  })
  const rows = Array.from(turns, ([id, { answers, failure }]): PromptRow => {
    if (failure !== undefined) return { ...described(id), absent: failure }
    const { correctness } = answers.at(-1)!
    return { ...described(id), taken: summarise(answers.map(({ taken }) => taken)), correctness }
  })
  return { skills, rows }
}

function described(id: ContestantId): ContestantRow {
  const { title, role } = CONTESTANTS[id]
  return { id, title, role }
}

/** The floor reads files, but no skills. */
function isReader(id: ContestantId): boolean {
  return CONTESTANTS[id].role !== 'floor'
}
