import type { LibraryWork } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { median, type Summary, summarise } from '../statistics.ts'

/** Something that the library does, beside the least that does the same. Milliseconds. */
export interface LibraryRow {
  readonly id: LibraryWork
  readonly title: string
  readonly bareTitle: string
  readonly own?: Summary
  readonly bare?: Summary
  /** How many times as long as the bare one, by the medians of each process. */
  readonly over?: Summary
  readonly absent?: string
}

export interface LibraryOptions extends ChildOptions {
  readonly rounds: number
  /** Writes, and reads of one skill, in one process. */
  readonly count: number
  readonly progress: (text: string) => void
}

const WRITTEN = 'write, sync, rename, sync the folder'
const READ = 'list, read and hash'

const TITLES: Readonly<Record<LibraryWork, readonly [own: string, bare: string]>> = {
  save: ['save a SKILL.md', WRITTEN],
  saveResource: ['save a resource', WRITTEN],
  scan: ['open a catalog over the store', 'over the folder'],
  load: ['get a skill', READ],
  verify: ['verify 300 skills', READ],
  changeLock: ['change a lock of 300 skills', `parse, ${WRITTEN}`],
}

/** Measures a store on files and a lock, each process by itself with own and bare work by turns. */
export async function measureLibrary(
  root: string,
  { rounds, count, progress, ...child }: LibraryOptions,
): Promise<readonly LibraryRow[]> {
  const ids = Object.keys(TITLES) as LibraryWork[]
  const samples = ids.map((id) => ({ id, own: [] as number[], bare: [] as number[], over: [] as number[] }))
  let absent: string | undefined
  for (let round = 0; round < rounds && absent === undefined; round++) {
    progress(`library: round ${round + 1} of ${rounds}`)
    try {
      const answer = await runChild({ kind: 'library', root, count }, child)
      for (const each of samples) {
        const [own, bare] = [median(answer[each.id].own), median(answer[each.id].bare)]
        each.own.push(own)
        each.bare.push(bare)
        each.over.push(own / bare)
      }
    } catch (error) {
      if (!(error instanceof ChildFailure)) throw error
      absent = error.message
    }
  }
  return samples.map(({ id, own, bare, over }) => {
    const [title, bareTitle] = TITLES[id]
    if (absent !== undefined) return { id, title, bareTitle, absent }
    return { id, title, bareTitle, own: summarise(own), bare: summarise(bare), over: summarise(over) }
  })
}
