import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shorten } from '../../src/disclosure/shorten.ts'

describe('shorten', () => {
  it('[SHOW-7] leaves a text that fits as it is', () => {
    expect(shorten('Reads PDF files.', 16)).toBe('Reads PDF files.')
  })

  it('[SHOW-7] ends at the end of a word, with an ellipsis', () => {
    expect(shorten('Reads PDF files and writes them.', 20)).toBe('Reads PDF files and…')
    expect(shorten('Reads PDF files and writes them.', 19)).toBe('Reads PDF files…')
    expect(shorten('Reads PDF files and writes them.', 21)).toBe('Reads PDF files and…')
  })

  it('[SHOW-7] cuts a word where there is no other way', () => {
    expect(shorten('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`)
    expect(shorten('xxxx👩\u200D💻yyyy', 8)).toBe('xxxx👩…')
    expect(shorten('读取和编辑文档的技能说明', 6)).toBe('读取和编辑…')
    expect(shorten(`a ${'y'.repeat(50)}`, 20)).toBe(`a ${'y'.repeat(17)}…`)
  })

  it('[SHOW-7] never cuts a character in two, leaves no loose joiner, and is never longer than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 40 }), (text, most) => {
        const cut = shorten(text, most)
        expect(cut.length).toBeLessThanOrEqual(Math.max(most, text.length <= most ? text.length : 1))
        expect(cut.isWellFormed()).toBe(text.isWellFormed())
        if (cut !== text) {
          expect(cut.endsWith('…')).toBe(true)
          expect(text.startsWith(cut.slice(0, -1))).toBe(true)
          expect(cut.slice(0, -1)).not.toMatch(/(?:\s|\u200D|\uFE0F)$/)
        }
      }),
    )
  })
})
