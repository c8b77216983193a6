// An algorithm of its own: a search of the catalog shows only the order that comes of it.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import type { SearchTexts } from './fields.ts'
import { countsIn, lexicalScores, readQuery, sumOfScores } from './rank.ts'
import { beginTimeSlice } from '../time-limit.ts'
import { createTermTable } from './read-texts.ts'
import { buildTextIndex } from './text-index.ts'

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
  const scores = lexicalScores(index, readQuery(query)!, new Uint8Array(index.size).fill(1))
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
        const scores = lexicalScores(index, query, new Uint8Array(index.size).fill(1))
        const { term } = query.words[0]!
        for (const [at, { name, description, body }] of documents.entries()) {
          const isIn = `${name} ${description} ${body}`.split(' ').includes(sought)
          expect([scores[at]! > 0, countsIn(index, term!, at) !== undefined]).toEqual([isIn, isIn])
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('[MATCH-6, NFR-5] made from another one is the same as one that is made from all texts', async () => {
    const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '思维', 'C++', 'x9'), { maxLength: 40 })
    const text = words.map((each) => each.join(' '))
    const texts = fc.record({ name: text, description: text, tags: text, body: text })
    // Each document of the new index: one of the former, by its place, or another.
    const next = fc.array(fc.oneof(fc.nat(11), texts), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 12 }), next, async (before, given) => {
        const former = await buildTextIndex(before)
        const after = given.map((each) => (typeof each === 'number' ? each % before.length : each))
        const made = await buildTextIndex(after, former)
        const whole = await buildTextIndex(after.map((each) => (typeof each === 'number' ? before[each]! : each)))
        expect([made.size, made.bytes]).toEqual([whole.size, whole.bytes])
        for (const query of ['alpha', 'beta gamma', '思维 delta', 'C++ x9 alpha']) {
          const read = readQuery(query)!
          const shown = new Uint8Array(whole.size).fill(1)
          expect(lexicalScores(made, read, shown)).toEqual(lexicalScores(whole, read, shown))
          for (const { term = '' } of read.words) expect(made.postings(term)).toEqual(whole.postings(term))
        }
      }),
      { numRuns: runs(40) },
    )
  })

  it('[MATCH-6] what is not shown changes no score: neither by its words nor by its length', async () => {
    const words = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', '思维', 'C++', 'x9'), { maxLength: 40 })
    const text = words.map((each) => each.join(' '))
    const texts = fc.record({ name: text, description: text, tags: text, body: text, isShown: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 12 }), async (all) => {
        const shown = all.filter(({ isShown }) => isShown)
        const [among, alone] = [await buildTextIndex(all), await buildTextIndex(shown)]
        const query = readQuery('alpha beta 思维 x9')!
        const scores = lexicalScores(
          among,
          query,
          Uint8Array.from(all, ({ isShown }) => (isShown ? 1 : 0)),
        )
        expect([...scores].filter((_, at) => all[at]!.isShown)).toEqual([
          ...lexicalScores(alone, query, new Uint8Array(alone.size).fill(1)),
        ])
      }),
      { numRuns: runs(60) },
    )
  })

  it('[MATCH-3] finds each of many terms, and no other', async () => {
    const terms = Array.from({ length: 5_000 }, (_, number) => `${number.toString(36)}x`)
    const table = await createTermTable(terms, terms.length, beginTimeSlice())
    expect(terms.findIndex((term, number) => table.find(term) !== number)).toBe(-1)
    expect(terms.map((_, number) => table.at(number))).toEqual(terms)
    expect(['', 'x', '0', '0x0', 'zzzx'].map((term) => table.find(term))).toEqual(Array(5).fill(undefined))
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

  it('[MATCH-3] is joined with vectors by the sum of two scores, each in parts of the best that is shown', () => {
    const isShown = Uint8Array.of(1, 1, 0)
    const sum = sumOfScores(Float32Array.of(4, 2, 100), Float32Array.of(-0.5, 0.25, 1), isShown)
    expect([...sum.subarray(0, 2)]).toEqual([1, 1.5])
    expect([...sumOfScores(Float32Array.of(0, 0, 0), Float32Array.of(0, 0, 0), isShown)]).toEqual([0, 0, 0])
  })

  it('[MATCH-3] takes from a model rather what fits at all than which of several fits best', () => {
    const shown = new Uint8Array(4).fill(1)
    const sum = sumOfScores(Float32Array.of(4, 2, 0, 0), Float32Array.of(0, 0.36, 0.25, 0.64), shown)
    expect([...sum]).toEqual([1, 1.25, 0.625, 1])
  })

  it('[MATCH-3] hears a model whose vectors all point about the same way', () => {
    const [words, shown] = [new Float32Array(3), new Uint8Array(3).fill(1)]
    const narrow = sumOfScores(words, Float32Array.of(0.7, 0.8, 0.85), shown)
    expect(narrow[0]).toBeLessThan(0.4)
    expect(narrow[1]! / narrow[2]!).toBeLessThan(0.85)
    // What is hidden has no say.
    expect(sumOfScores(words, Float32Array.of(0.2, 0.8, 0.85), Uint8Array.of(0, 1, 1))[1]).toBeGreaterThan(0.6)
  })

  it('[MATCH-3] does not take a small difference for a large one where few skills are shown', () => {
    const sum = sumOfScores(Float32Array.of(3, 0), Float32Array.of(0.8, 0.81), Uint8Array.of(1, 1))
    expect(sum[0]! - sum[1]!).toBeGreaterThan(0.9)
    expect([...sumOfScores(new Float32Array(1), Float32Array.of(0.8), Uint8Array.of(1))]).toEqual([1])
  })
})
