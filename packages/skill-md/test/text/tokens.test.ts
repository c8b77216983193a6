import * as fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
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

it('[NFR-5] what is estimated is exactly what tokenx estimates', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const text = words.join('')
      expect(estimateTokens(text)).toBe(estimateTokenCount(text))
    }),
    { numRuns: runs(10_000) },
  )
})

it('[NFR-5] so it is for every character, by itself, in a word, and in front of another line', () => {
  // All that are plain here are among the first; of the others, most are read by tokenx itself.
  const codes = Array.from({ length: 0x1_0000 }, (_, code) => code).filter(
    (code) => code < 0x3000 || code % 16 === 0 || code > 0xfe00,
  )
  const differing = codes.filter((code) => {
    const character = String.fromCharCode(code)
    const text = `${character} ${character}${character} a${character}.${character}\nb12 letters-${character}ofalanguage`
    return estimateTokens(text) !== estimateTokenCount(text)
  })
  expect(differing).toEqual([])
})

it('[NFR-5] a long text with a letter beyond ASCII in every word takes no longer for each of them', () => {
  // Looking through the whole text at each word would take minutes.
  const text = 'não é über überã '.repeat(30_000)
  expect(estimateTokens(text)).toBe(estimateTokenCount(text))
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
