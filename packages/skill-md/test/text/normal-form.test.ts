import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalForm } from '../../src/internal.ts'
import { piecesOf } from '../../src/text/normal-form.ts'

const FORMS = ['NFC', 'NFKC', 'NFKD'] as const
/** What is composed, sorted or decomposed: Latin, marks of two classes, Hangul letters, kana marks, ligatures. */
const UNITS = ['a', 'e', ' ', 'é', '\u0301', '\u0316', '\u0345', '각', '\u1100', '\u1161', '\u11A8', 'か', '\u3099']
const OTHER = ['ｶ', '\uFF9E', 'ﬁ', 'ſ', 'Å', '數', '🚀', '\u{1D15E}', 'क', '\u093C', 'ा', '\uD83D']

describe('a text in a normal form', () => {
  it('[ABUSE-120] is what the engine returns, however long, where characters begin now and then', () => {
    const word = fc.string({ unit: fc.constantFrom(...UNITS, ...OTHER), maxLength: 40 })
    const text = fc.array(word, { minLength: 30, maxLength: 120 }).map((words) => words.join(' x'))
    fc.assert(
      fc.property(text, fc.constantFrom(...FORMS), (long, form) => {
        expect(normalForm(long, form)).toBe(long.normalize(form))
      }),
      { numRuns: 60 },
    )
  })

  it('[ABUSE-120] is made of short pieces, so that its time grows with its length alone', () => {
    const run = fc.tuple(fc.constantFrom(...UNITS, ...OTHER, '\u0301\u0316'), fc.integer({ min: 1, max: 3_000 }))
    fc.assert(
      fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
        const text = runs.map(([unit, times]) => unit.repeat(times)).join('')
        const pieces = piecesOf(text)
        expect(pieces.join('')).toBe(text)
        expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1_000)
        // Each search for a place looks at a thousand characters at most, and there are no more searches than this.
        expect(pieces.length).toBeLessThanOrEqual(2 * Math.ceil(text.length / 1_000) + 1 + runs.length * 2)
        expect(pieces.every((piece) => !/^[\uDC00-\uDFFF]/.test(piece) || /^[\uDC00-\uDFFF]/.test(text))).toBe(true)
      }),
    )
  })

  it('[ABUSE-120] of four hundred thousand alternating marks is made of four hundred pieces', () => {
    const marks = `a${'\u0301\u0316'.repeat(200_000)}`
    expect(piecesOf(marks)).toHaveLength(401)
    expect(normalForm(marks, 'NFC').length).toBeGreaterThan(390_000)
  })
})
