import type { LabelledQueries, LabelledQuery, OpenedCorpus } from './corpus.ts'
import { BESIDE_SEARCH } from './listing-rules.ts'
import { catalogsOf } from './shown-text.ts'

/** As many skills as one call of the model's search tool shows. */
const SHOWN_HITS = 5

/** Catalogs that are too large for a list of all their skills. */
const CATALOG_SIZES: readonly number[] = [100, 300, 1_000]

/** How often a model gets to see the right skill of a task. Shares of the tasks, 0 to 1. */
export interface ListedOrFound {
  readonly skills: number
  /** The skill is in the list, with a description. */
  readonly listed: number
  /** It is among what one search shows. */
  readonly found: number
  readonly either: number
}

/** Measures a list that stands beside a search, and the search, over catalogs of growing sizes. */
export async function measureListedOrFound(
  { repertoire: { catalog }, idOf }: OpenedCorpus,
  queries: readonly LabelledQuery[],
  sizes: readonly number[] = CATALOG_SIZES,
): Promise<readonly ListedOrFound[]> {
  const skills = catalog.list()
  const nameOf = new Map(skills.map((skill) => [idOf(skill), skill.name]))
  const named = queries.map(({ phrases, right }) => ({
    phrases,
    right: new Set([...right].flatMap((id) => nameOf.get(id) ?? [])),
  }))
  const rows: ListedOrFound[] = []
  for (const size of sizes) {
    const counts = { listed: 0, found: 0, either: 0 }
    for (const { asked, catalog: some } of catalogsOf(skills, named, size)) {
      const list = new Set(BESIDE_SEARCH.list(some).map(({ name }) => name))
      const view = { person: true, skills: some.map(({ name }) => name) }
      for (const { phrases, right } of asked) {
        const { hits } = await catalog.search(phrases, { limit: SHOWN_HITS, view })
        const isListed = [...right].some((name) => list.has(name))
        const isFound = hits.some(({ name }) => right.has(name))
        if (isListed) counts.listed++
        if (isFound) counts.found++
        if (isListed || isFound) counts.either++
      }
    }
    const share = (count: number): number => count / queries.length
    rows.push({ skills: size, listed: share(counts.listed), found: share(counts.found), either: share(counts.either) })
  }
  return rows
}

/** Returns the part of the report on lists beside a search. */
export async function listedOrFoundTable(
  corpus: OpenedCorpus,
  { written, rewritten }: LabelledQueries,
): Promise<string> {
  const lines = [
    '## Listed, or found by one search',
    '',
    `A list beside a search shows the skills that rank highest whatever is asked, so it holds the right one of a large catalog by chance; one search that shows ${SHOWN_HITS} skills makes up for it. In %:`,
    '',
    '| skills | as people write: listed | found | either | as a model writes: listed | found | either |',
    '| --: | --: | --: | --: | --: | --: | --: |',
  ]
  const [byPeople, byModel] = [
    await measureListedOrFound(corpus, written),
    await measureListedOrFound(corpus, rewritten),
  ]
  for (const [index, row] of byPeople.entries()) {
    lines.push(`| ${[String(row.skills), ...cells(row), ...cells(byModel[index]!)].join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}

function cells({ listed, found, either }: ListedOrFound): readonly string[] {
  return [listed, found, either].map((share) => String(Math.round(share * 100)))
}
