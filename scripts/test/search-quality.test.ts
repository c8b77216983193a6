import { expect, it } from 'vitest'
import { hasCorpus, measureRecall } from '../search-quality.ts'

/** In continuous integration the absence of the corpus is a failure, unless it is declared. */
const isSkipped = process.env.CI === undefined || (!hasCorpus && process.env.REPERTOIRE_CORPUS === 'absent')

it.skipIf(isSkipped)(
  '[MATCH-5] the search finds the right one of thousands of published skills in the words of people and of models (only with CI set)',
  { timeout: 120_000 },
  async () => {
    const { people, model } = await measureRecall()
    expect(people[3]).toBeGreaterThanOrEqual(0.62)
    expect(model[3]).toBeGreaterThanOrEqual(0.95)
  },
)
