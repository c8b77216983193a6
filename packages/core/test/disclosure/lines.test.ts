import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { estimateTokens } from '../../src/index.ts'
import { byLines } from '../../src/disclosure/lines.ts'
import { runs } from '../runs.ts'

const word = fc.oneof(
  fc.constantFrom(
    '\n',
    '\n\n',
    ' ',
    '  ',
    '\t',
    '\r\n',
    '.',
    '- ',
    '<a>',
    '。',
    '、',
    '技能',
    'がっこう',
    '한국어',
    '…',
    '😀',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)

it('[NFR-5] counts by lines exactly what our estimate gives for the whole', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join('')
      expect(byLines(estimateTokens)(text)).toBe(estimateTokens(text))
    }),
    { numRuns: runs(4_000) },
  )
})

it('[NFR-5] counts a line once, however many texts have it', () => {
  let counted = 0
  const count = byLines((text) => (counted += text.length))
  for (let lines = 1; lines <= 100; lines++) count(Array.from({ length: lines }, (_, n) => `- line ${n}`).join('\n'))
  // A text's last line has no break.
  expect(counted).toBeLessThan(100 * 100)
  expect(counted).toBeGreaterThan(0)
})
