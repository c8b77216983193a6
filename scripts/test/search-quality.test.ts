import { beforeAll, describe, expect, it } from 'vitest'
import { hasCorpus, type OpenedCorpus, openCorpus, readQueries } from '../search-quality/corpus.ts'
import { measureRecall } from '../search-quality/recall.ts'
import { searchesOf } from '../search-quality/searches.ts'

/** In continuous integration the absence of the corpus is a failure, unless it is declared. */
const isSkipped = !hasCorpus && (process.env.REPERTOIRE_CORPUS === 'absent' || process.env.CI === undefined)
const title = isSkipped ? 'the search: skipped, for ../shared/corpus is not beside the repository' : 'the search'

describe.skipIf(isSkipped)(title, { timeout: 120_000 }, () => {
  let corpus: OpenedCorpus

  beforeAll(async () => void (corpus = await openCorpus()), 120_000)

  it('[MATCH-5] finds the right one of thousands of published skills, by what people write and by what models do', async () => {
    expect(corpus.repertoire.catalog.list().length).toBeGreaterThan(2_500)
    const searches = searchesOf(corpus)
    const { written, rewritten } = readQueries()
    const ours = searches.get('catalog.search')!
    const [byPeople, byModel] = [await measureRecall(ours, written), await measureRecall(ours, rewritten)]
    expect(byPeople.at[3]).toBeGreaterThanOrEqual(0.62)
    expect(byModel.at[3]).toBeGreaterThanOrEqual(0.95)
    const plain = await measureRecall(searches.get('keywords: name, part of a name, description')!, written)
    expect(plain.at[3]).toBeLessThan(byPeople.at[3] / 2)
  })
})

it('[MATCH-5] counts in which place the right skill is', async () => {
  const query = (right: string) => ({ phrases: [right], right: new Set([right]) })
  const found = ['a', 'b', 'c', 'd']
  const { at, reciprocalRank } = await measureRecall(() => found, [query('a'), query('b'), query('d'), query('x')])
  expect([at[1], at[3], at[5], reciprocalRank]).toEqual([0.25, 0.5, 0.75, (1 + 1 / 2 + 1 / 4) / 4])
})
