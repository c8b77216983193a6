import * as fc from 'fast-check'
import { visible, widthOf } from 'repertoire/terminal'
import { describe, expect, it } from 'vitest'
import { wrap } from 'repertoire/terminal'
import { clip } from '../../src/render/lines.ts'

// A few musical signs are wider than two columns, and no line of two has room for one.
const fits = (text: string) => [...new Intl.Segmenter().segment(text)].every(({ segment }) => widthOf(segment) <= 2)
const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map(visible).filter(fits)

describe('lines', () => {
  it('[DEMO-1] are not wider than they may be, and lose nothing but spaces', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 60 }), (given, width) => {
        const lines = wrap(given, width)
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
        expect(lines.join('').replaceAll(' ', '')).toBe(given.replaceAll(' ', ''))
      }),
    )
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('微信公众', 5)).toEqual(['微信', '公众'])
  })

  it('[DEMO-1] are no more than there may be, and say where they were cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 60 }), fc.integer({ min: 1, max: 4 }), (given, width, most) => {
        const lines = clip(given, width, most)
        expect(lines.length).toBeLessThanOrEqual(most)
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
        const isWhole = lines.join('').replaceAll(' ', '') === given.replaceAll(' ', '')
        expect(isWhole || lines.at(-1)!.endsWith('…')).toBe(true)
      }),
    )
    expect(clip('one two three four five', 7, 2)).toEqual(['one two', 'three…'])
  })
})
