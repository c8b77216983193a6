import type { SearchEngine } from '../job.ts'
import { ChildFailure, type ChildOptions, runChild } from '../run-child.ts'
import { median, type Summary, summarise } from '../statistics.ts'

/** What a search costs. Milliseconds, and bytes of memory. */
export interface SearchRow {
  readonly engine: SearchEngine
  readonly title: string
  /** The first search of a process: it makes the index. */
  readonly build?: Summary
  /** A query of several words, and of one. */
  readonly phrase?: Summary
  readonly word?: Summary
  readonly bytesPerSkill?: Summary
  readonly absent?: string
}

/** A search among so many skills, beside a library. */
export interface SearchCost {
  readonly skills: number
  readonly rows: readonly SearchRow[]
}

export interface SearchCostOptions extends ChildOptions {
  readonly rounds: number
  readonly progress: (text: string) => void
}

const TITLES: Readonly<Record<SearchEngine, string>> = {
  repertoire: 'catalog.search',
  minisearch: 'MiniSearch, its defaults',
}

/** Measures each search in processes of its own, in turns. */
export async function measureSearch(
  { root, skills }: { readonly root: string; readonly skills: number },
  { rounds, progress, ...child }: SearchCostOptions,
): Promise<SearchCost> {
  const engines = Object.keys(TITLES) as SearchEngine[]
  const samples = new Map(engines.map((engine) => [engine, emptySamples()]))
  const absent = new Map<SearchEngine, string>()
  for (let round = 0; round < rounds; round++) {
    for (const engine of engines) {
      if (absent.has(engine)) continue
      progress(`search: round ${round + 1} of ${rounds}, ${TITLES[engine]}`)
      try {
        const answer = await runChild({ kind: 'search', engine, root }, child)
        const of = samples.get(engine)!
        of.build.push(answer.build)
        of.bytes.push(answer.bytes / answer.skills)
        // What is run for the first time is compiled in the first half.
        of.phrase.push(median(answer.phrases.slice(answer.phrases.length >> 1)))
        of.word.push(median(answer.words.slice(answer.words.length >> 1)))
      } catch (error) {
        if (!(error instanceof ChildFailure)) throw error
        absent.set(engine, error.message)
      }
    }
  }
  return { skills, rows: engines.map((engine) => rowOf(engine, samples.get(engine)!, absent.get(engine))) }
}

type Samples = Record<'build' | 'phrase' | 'word' | 'bytes', number[]>

function emptySamples(): Samples {
  return { build: [], phrase: [], word: [], bytes: [] }
}

function rowOf(engine: SearchEngine, { build, phrase, word, bytes }: Samples, absent: string | undefined): SearchRow {
  const title = TITLES[engine]
  if (absent !== undefined) return { engine, title, absent }
  return {
    engine,
    title,
    build: summarise(build),
    phrase: summarise(phrase),
    word: summarise(word),
    bytesPerSkill: summarise(bytes),
  }
}
