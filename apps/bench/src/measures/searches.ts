import { median, type Pair, timed } from '../statistics.ts'
import { openTree } from './in-use.ts'
import { usedMemory } from './scan.ts'

/** What is measured of a search: bytes of its index per skill, or milliseconds of a query. */
export type SearchFigure = 'index' | 'query'

/** Different queries, and how often each is asked. */
const QUERIES = 50
const ROUNDS = 6

/**
 * Builds the index of a search over the skills of a tree, and weighs it or times queries.
 * @throws {Error} if a query finds nothing, or unless Node runs with `--expose-gc`
 */
export async function measureSearch(root: string, figure: SearchFigure): Promise<Pair> {
  const { catalog } = await openTree(root)
  const texts = catalog.list().map(({ manifest }) => manifest.description)
  const find = async (query: string): Promise<void> => {
    const { hits } = await catalog.search(query, { limit: 10, viewer: { person: true } })
    if (hits.length === 0) throw new Error(`Nothing was found for ${JSON.stringify(query)}.`)
  }
  const before = await usedMemory()
  await find(phraseOf(texts[0] ?? ''))
  if (figure === 'index') return { own: ((await usedMemory()) - before) / texts.length }
  const step = Math.max(1, Math.floor(texts.length / QUERIES))
  const queries = texts.filter((_, index) => index % step === 0).map(phraseOf)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    for (const query of queries.slice(0, QUERIES)) times.push(await timed(() => find(query)))
  }
  return { own: median(times) }
}

/** As many words as a person types. */
function phraseOf(description: string): string {
  return description.split(/\s+/).slice(0, 8).join(' ')
}
