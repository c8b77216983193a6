// An algorithm of its own: a search of the catalog shows only the order that comes of it.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'
import { createWordReader, STOP_WORDS } from './words.ts'

const termsOf = (text: string): readonly string[] => createWordReader().terms(text)

describe('the words of a text', () => {
  it('[MATCH-3] are stems in lower case, without accents and without what says nothing', () => {
    expect(termsOf('Please help me with Merging the PDFs, and résumés')).toEqual(['merg', 'pdf', 'resum'])
    expect(termsOf("I don't want it")).toEqual([])
    expect(termsOf('merged')).toEqual(termsOf('MERGES'))
  })

  it('[MATCH-3] keep numbers, and the languages whose names are signs', () => {
    expect(termsOf('C++20, C# or F#? 3d in node.js, 2026')).toEqual([
      'c++',
      '20',
      'c#',
      'f#',
      '3d',
      'node',
      'js',
      '2026',
    ])
    expect(termsOf('issue#12')).toEqual(['issu', '12'])
  })

  it('[MATCH-3] are pairs of characters where scripts have no spaces', () => {
    expect(termsOf('结构化思维')).toEqual(['结构', '构化', '化思', '思维'])
    expect(termsOf('PDFを結合する')).toEqual(['pdf', 'を結', '結合', '合す', 'する'])
    expect(termsOf('문서')).toEqual(['문서'])
    expect(termsOf('書')).toEqual(['書'])
    expect(termsOf('हिन्दी में')).toEqual(['हिन्दी', 'में'])
  })

  it('[MATCH-3] leave out some two hundred words, none of which names a thing', () => {
    expect(STOP_WORDS.size).toBeGreaterThan(150)
    expect(STOP_WORDS.size).toBeLessThan(250)
    expect(['file', 'code', 'pdf', 'test', 'git', 'data', 'write'].filter((word) => STOP_WORDS.has(word))).toEqual([])
  })

  it('[MATCH-3] are read from any text, in time that grows with its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const terms = termsOf(text)
        expect(terms.every((term) => term !== '' && term.length <= 80)).toBe(true)
      }),
      { numRuns: runs(200) },
    )
    expect(termsOf(`x${'\u0301'.repeat(5_000)} ${'a'.repeat(10_000)} pdf`)).toEqual(['x', 'pdf'])
  })
})
