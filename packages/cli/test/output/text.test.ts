import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { count, padTo, shorten, visible, visibleLine, widthOf } from '../../src/output/text.ts'

// Control characters would be shown as text before they are measured.
const shown = fc.string({ unit: 'grapheme', maxLength: 60 }).map(visibleLine)

describe('text for a terminal', () => {
  it('[OBS-4] shows control and direction characters, and leaves all other text alone', () => {
    expect(visible('a\u001B[31m\u009B\u202Eb\n')).toBe(String.raw`a\u{1B}[31m\u{9B}\u{202E}b\u{A}`)
    expect(visible('naïve 微信 👩‍👩‍👧')).toBe('naïve 微信 👩‍👩‍👧')
    expect(visibleLine('  two\r\n lines\t and \u001B[2J more ')).toBe(String.raw`two lines and \u{1B}[2J more`)
  })

  it('[SHOW-7] shortens to the width and no further, and says that it did', () => {
    fc.assert(
      fc.property(shown, fc.integer({ min: 1, max: 70 }), (text, width) => {
        const short = shorten(text, width)
        expect(widthOf(short)).toBeLessThanOrEqual(width)
        if (widthOf(text) <= width) expect(short).toBe(text)
        else {
          expect(short.endsWith('…')).toBe(true)
          expect(text.startsWith(short.slice(0, -1))).toBe(true)
        }
      }),
    )
    expect(shorten('微信公众', 5)).toBe('微信…')
    expect(shorten('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 5)).toBe('👩‍👩‍👧👩‍👩‍👧…')
    expect(shorten('one two', 5)).toBe('one…')
  })

  it('pads to a width in columns, and never cuts', () => {
    fc.assert(
      fc.property(shown, fc.integer({ min: 0, max: 70 }), (text, width) => {
        const padded = padTo(text, width)
        expect(padded.startsWith(text)).toBe(true)
        expect(padded.trimEnd()).toBe(text.trimEnd())
        expect(padded.length - text.length).toBe(Math.max(0, width - widthOf(text)))
      }),
    )
  })

  it('counts in words', () => {
    expect([0, 1, 2].map((number) => count(number, 'skill'))).toEqual(['0 skills', '1 skill', '2 skills'])
  })
})
