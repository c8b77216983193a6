import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderListing } from '../../src/adapter.ts'
import { characters, skill } from '../tools/listed-skills.ts'

const BEGINNING = 'x'.repeat(119)

/** How a list of one skill shows a description that has room for so many characters. */
function shorten(description: string, most: number): string {
  const { text } = renderListing([skill('a', { description })], 'tool', characters('- a: '.length + most))
  return text.replace('- a: ', '').replace(' (/skills/a/SKILL.md)', '')
}

/** The same of a text that follows a word which is long enough for the list. */
const shortenAfter = (text: string, most: number): string =>
  shorten(`${BEGINNING} ${text}`, BEGINNING.length + 1 + most).replace(`${BEGINNING} `, '')

describe('a description that is too long for its list', () => {
  it('[SHOW-7] ends at the end of a word, with an ellipsis', () => {
    expect(shortenAfter('Reads PDF files.', 16)).toBe('Reads PDF files.')
    expect(shortenAfter('Reads PDF files and writes them.', 20)).toBe('Reads PDF files and…')
    expect(shortenAfter('Reads PDF files and writes them.', 19)).toBe('Reads PDF files…')
    expect(shortenAfter('Reads PDF files and writes them.', 21)).toBe('Reads PDF files and…')
  })

  it('[SHOW-7] ends within a word where there is no other way', () => {
    expect(shorten('x'.repeat(200), 150)).toBe(`${'x'.repeat(149)}…`)
    expect(shorten(`${'x'.repeat(130)}👩\u200D💻yyyy`, 134)).toBe(`${'x'.repeat(130)}👩…`)
    const chinese = '读取和编辑文档的技能说明'.repeat(20)
    expect(shorten(chinese, 130)).toBe(`${chinese.slice(0, 129)}…`)
    expect(shorten(`a ${'y'.repeat(150)}`, 140)).toBe(`a ${'y'.repeat(137)}…`)
  })

  it('[SHOW-7] never ends within a character or with a loose joiner, and is never longer than it may be', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), fc.integer({ min: 125, max: 165 }), (text, most) => {
        const whole = shorten(text.repeat(20), 100_000)
        const shown = shorten(text.repeat(20), most)
        expect(shown.length).toBeLessThanOrEqual(most)
        expect(shown.isWellFormed()).toBe(whole.isWellFormed())
        if (shown.endsWith('…')) {
          expect(whole.startsWith(shown.slice(0, -1))).toBe(true)
          expect(shown.slice(0, -1)).not.toMatch(/(?:\s|\u200D|\uFE0F)$/)
        }
      }),
    )
  })
})
