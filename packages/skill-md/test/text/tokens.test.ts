import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { oneLine, estimateTokens, leastTokens } from '../../src/internal.ts'
import { runs } from '@repertoire/test-servers/properties'

const word = fc.oneof(
  fc.constantFrom('\n', '\n\n', ' ', '  ', '\t', '\r\n', '\u00A0', '\u3000', '\uFEFF', '\u2028'),
  fc.constantFrom('.', '- ', '"/>', '<a>', '。', '、', '！', '—', '→', '…', '“', '\u2019'),
  fc.constantFrom('技能', 'がっこう', '한국어', '😀', '✅', 'über', 'naïve', 'обзор', 'Ελλάδα', '≥'),
  fc.constantFrom('Überprüfung', 'éü', 'śé', 'фλ', '技がx한', '・', '🚀🚀', '🚀✅', '❤️', '\uD83D', 'å', 'µ', '\u03A2'),
  fc.stringMatching(/^[a-z]{1,20}$/),
  fc.stringMatching(/^\d{1,12}$/),
  fc.stringMatching(/^[.,!?;(){}[\]<>:/\\|@#$%^&*+=`~_"'-]{1,15}$/),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

it('[NFR-5] estimates words, marks and letters of several alphabets', () => {
  expect(estimateTokens('')).toBe(0)
  expect(estimateTokens('one two three, four.')).toBe(6)
  expect(estimateTokens('技能 한국어 обзор')).toBe(5)
})

it('[NFR-5] a long text with a letter beyond ASCII in every word takes no longer for each of them', () => {
  // Looking through the whole text at each word would take minutes.
  const words = 'não é über überã '
  expect(estimateTokens(words.repeat(30_000))).toBe(30_000 * estimateTokens(words))
})

it('[NFR-5] no estimate is below the least, however the blanks and the markup around its words are written', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const text = words.join('')
      for (const written of [text, oneLine(text)])
        expect(estimateTokens(written)).toBeGreaterThanOrEqual(leastTokens(text))
    }),
    { numRuns: runs(4_000) },
  )
})
