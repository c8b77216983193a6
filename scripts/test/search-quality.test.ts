import { renderListing } from '@repertoire/core/adapter'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Corpus, hasCorpus, openCorpus } from '../search-quality/corpus.ts'
import { measureListedOrFound, measureRecall, sampleCatalogs, splitTasks } from '../search-quality/measures.ts'

/** In continuous integration the absence of the corpus is a failure, unless it is declared. */
const isSkipped = process.env.CI === undefined || (!hasCorpus && process.env.REPERTOIRE_CORPUS === 'absent')
const title = hasCorpus ? 'the search' : 'the search: skipped, because ../shared/corpus is missing'

describe.skipIf(isSkipped)(title, { timeout: 120_000 }, () => {
  let corpus: Corpus

  beforeAll(async () => {
    corpus = await openCorpus()
  }, 120_000)

  it('[MATCH-5] finds the right one of thousands of published skills in the words of people and of models (only with CI set)', async () => {
    const { repertoire, skills, written, rewritten } = corpus
    expect(skills.length).toBeGreaterThan(2_500)
    expect((await measureRecall(repertoire, written)).at[3]).toBeGreaterThanOrEqual(0.62)
    expect((await measureRecall(repertoire, rewritten)).at[3]).toBeGreaterThanOrEqual(0.95)
  })

  it('[MATCH-5] finds it as well for the tasks that are held out (only with CI set)', async () => {
    const [{ tuned, heldOut }, byModel] = [splitTasks(corpus.written), splitTasks(corpus.rewritten)]
    expect(Math.min(tuned.length, heldOut.length)).toBeGreaterThanOrEqual(40)
    expect((await measureRecall(corpus.repertoire, heldOut)).at[3]).toBeGreaterThanOrEqual(0.58)
    expect((await measureRecall(corpus.repertoire, byModel.heldOut)).at[3]).toBeGreaterThanOrEqual(0.95)
  })

  it('[MATCH-4, SHOW-7] shows the right one of 300 skills in the list or in one search of a model (only with CI set)', async () => {
    const { listed, either } = await measureListedOrFound(corpus, corpus.rewritten, 300)
    expect(listed).toBeLessThan(0.6)
    expect(either).toBeGreaterThanOrEqual(0.97)
  })

  it('[SHOW-7] lists as many of 300 skills as the guide says, each with the beginning of its description (only with CI set)', () => {
    const guide = readFileSync(new URL('../../docs/hundreds-of-skills.md', import.meta.url), 'utf8')
    expect(guide).toContain('a little over a hundred are listed, each with at least the beginning of its')
    for (const { skills } of sampleCatalogs(corpus.skills, corpus.written, 300)) {
      const { cuts } = renderListing(skills, 'section', {}, [], { searchable: true })
      expect(skills.length - cuts.dropped.length).toBeGreaterThan(100)
      expect(skills.length - cuts.dropped.length).toBeLessThanOrEqual(130)
      expect(cuts.withoutDescription).toEqual([])
    }
  })
})
