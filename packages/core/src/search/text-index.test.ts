// An algorithm of its own: a search of the catalog shows only the order that comes of it.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { buildTextIndex, scoresOf, readQuery, type SearchTexts } from './text-index.ts'

const document = (texts: Partial<SearchTexts>): SearchTexts => ({
  name: '',
  description: '',
  tags: '',
  body: '',
  ...texts,
})

/** The documents by their score, the best first; those that do not score left out. */
async function ranked(documents: readonly Partial<SearchTexts>[], query: string): Promise<readonly number[]> {
  const index = await buildTextIndex(documents.map(document))
  const scores = scoresOf(index, readQuery(query)!)
  return [...scores.keys()].filter((at) => scores[at]! > 0).toSorted((a, b) => scores[b]! - scores[a]!)
}

describe('the index', () => {
  it('[MATCH-3] counts a word more in a name or a description than in tags, and there more than in a body', async () => {
    const filler = { name: 'other words', description: 'other words', tags: 'other words', body: 'other words' }
    const fields = ['body', 'tags', 'description'] as const
    const documents = fields.map((field) => ({ ...filler, [field]: 'kubernetes words' }))
    expect(await ranked([filler, ...documents], 'kubernetes')).toEqual([3, 2, 1])
  })

  it('[MATCH-3] counts a rare word more than a common one, and a short text more than a long one', async () => {
    const common = { description: 'edit video' }
    expect(await ranked([common, common, { description: 'edit audio' }], 'audio video')).toEqual([2, 0, 1])
    const long = { description: `audio ${'words beside it '.repeat(20)}` }
    expect(await ranked([long, { description: 'audio' }, common], 'audio')).toEqual([1, 0])
  })

  it('[MATCH-3] finds what has a word in another form, and nothing where no word is known', async () => {
    expect(await ranked([{ body: 'merging of files' }, {}], 'merged')).toEqual([0])
    expect(await ranked([{ body: 'merging of files' }, {}], 'the need for zebras')).toEqual([])
    expect(await ranked([], 'anything')).toEqual([])
  })

  it('[MATCH-3] knows of every word in which documents it is', async () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '思维', 'C++', 'x9')
    const texts = fc.record({
      name: fc.array(word, { maxLength: 2 }).map((words) => words.join(' ')),
      description: fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
      tags: fc.constant(''),
      body: fc.array(word, { maxLength: 300 }).map((words) => words.join(' ')),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 12 }), word, async (documents, sought) => {
        const index = await buildTextIndex(documents)
        const query = readQuery(sought)!
        const scores = scoresOf(index, query)
        const { term } = query.words[0]!
        for (const [at, { name, description, body }] of documents.entries()) {
          const isIn = `${name} ${description} ${body}`.split(' ').includes(sought)
          expect([scores[at]! > 0, index.postings(term).some((each) => each.document === at)]).toEqual([isIn, isIn])
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('[MATCH-3, NFR-2] lets other work run while it is built', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 0)
    const body = Array.from({ length: 300 }, (_, number) => `word${number}`).join(' ')
    await buildTextIndex(Array.from({ length: 600 }, (_, number) => document({ name: `n${number}`, body })))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(1)
  })
})

describe('what is searched for', () => {
  it('[MATCH-3] is read up to a length, and phrases together', () => {
    expect(readQuery(['', '  '])).toBeUndefined()
    expect(readQuery('\n')).toBeUndefined()
    expect(readQuery([' merge pdf ', 'fill forms'])!.phrases).toEqual(['merge pdf', 'fill forms'])
    const { words } = readQuery('audio '.repeat(100_000))!
    expect(words.length).toBeLessThan(1_000)
  })
})
