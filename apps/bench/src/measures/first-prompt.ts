import { type ContestantId, CONTESTANTS } from '../contestants/index.ts'
import type { Correctness } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { type Summary, sum, summarise } from '../statistics.ts'
import type { Tree } from './discovery.ts'

/** A contestant that found skills and listed them, in processes that did nothing else. Milliseconds. */
export interface PromptRow {
  readonly id: ContestantId
  readonly title: string
  readonly role: 'own' | 'peer'
  readonly taken?: Summary
  /** What each round took, from the first. One that is too slow has fewer. */
  readonly rounds?: readonly number[]
  /** The same with a line for each skill in place of its list, where it makes one itself. */
  readonly plain?: Summary
  readonly correctness?: Correctness
  /** How long the list is. */
  readonly characters?: number
  readonly absent?: string
}

export interface FirstPrompt {
  readonly skills: number
  /** How many of them the `yaml` package reads. */
  readonly readable: number
  readonly rows: readonly PromptRow[]
}

export interface PromptOptions extends ChildOptions {
  readonly rounds: number
  readonly contestants: readonly ContestantId[]
  readonly leftOut: ReadonlyMap<ContestantId, string>
  /** Milliseconds. A contestant that has taken longer, in all its rounds, does not run again. */
  readonly patience: number
  readonly progress: (text: string) => void
}

/** Times everything from the import to the list, each time in a fresh process, in turns. */
export async function measureFirstPrompt(
  { root, skills, truth }: Pick<Tree, 'root' | 'skills' | 'truth'>,
  { rounds, contestants, leftOut, patience, progress, ...child }: PromptOptions,
): Promise<FirstPrompt> {
  const { readable } = await runChild({ kind: 'truth', root, truth }, child)
  const rows = new Map<ContestantId, PromptRow>()
  const times = new Map<ContestantId, number[]>()
  const plainTimes = new Map<ContestantId, number[]>()
  for (let round = 0; round < rounds; round++) {
    for (const id of contestants) {
      const { title, role } = CONTESTANTS[id]
      if (role !== 'own' && role !== 'peer') continue
      const known = times.get(id) ?? []
      const absent = leftOut.get(id)
      if (absent !== undefined) rows.set(id, { id, title, role, absent })
      if (rows.get(id)?.absent !== undefined || sum(known) > patience) continue
      progress(`first prompt: round ${round + 1} of ${rounds}, ${title}`)
      try {
        const job = { kind: 'prompt', contestant: id, root, truth } as const
        const { taken, characters, listsItself, correctness } = await runChild(job, child)
        const all = [...known, taken]
        times.set(id, all)
        const plain = plainTimes.get(id) ?? []
        plainTimes.set(id, plain)
        if (listsItself) plain.push((await runChild({ ...job, plain: true }, child)).taken)
        rows.set(id, {
          id,
          title,
          role,
          taken: summarise(all),
          rounds: all,
          ...(listsItself && { plain: summarise(plain) }),
          characters,
          correctness,
        })
      } catch (error) {
        if (!(error instanceof ChildFailure)) throw error
        rows.set(id, { id, title, role, absent: error.message })
      }
    }
  }
  return { skills, readable, rows: [...rows.values()] }
}
