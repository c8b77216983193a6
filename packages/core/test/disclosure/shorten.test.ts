import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { characters, listOf, skill } from '../tools/listed-skills.ts'

/** How a list of one skill shows a description that has room for 120 characters. */
async function shorten(description: string): Promise<string> {
  const { text } = await listOf([skill('a', { description })], 'tool', characters('- a: '.length + 120))
  return text.replace('- a: ', '')
}

/** The same of a text that has room for so many characters, behind a word that takes the others. */
async function shortenAfter(text: string, most: number): Promise<string> {
  const beginning = `${'x'.repeat(119 - most)} `
  return (await shorten(beginning + text)).replace(beginning, '')
}

describe('a description that is too long for its list', () => {
  it('[SHOW-7] ends at the end of a word, with an ellipsis', async () => {
    expect(await shortenAfter('Reads PDF files.', 16)).toBe('Reads PDF files.')
    expect(await shortenAfter('Reads PDF files and writes them.', 20)).toBe('Reads PDF files and…')
    expect(await shortenAfter('Reads PDF files and writes them.', 19)).toBe('Reads PDF files…')
    expect(await shortenAfter('Reads PDF files and writes them.', 21)).toBe('Reads PDF files and…')
  })

  it('[SHOW-7] ends within a word if there is no other way', async () => {
    expect(await shorten('x'.repeat(200))).toBe(`${'x'.repeat(119)}…`)
    expect(await shorten(`${'x'.repeat(116)}👩\u200D💻yyyy`)).toBe(`${'x'.repeat(116)}👩…`)
    const chinese = '读取和编辑文档的技能说明'.repeat(20)
    expect(await shorten(chinese)).toBe(`${chinese.slice(0, 119)}…`)
    expect(await shorten(`a ${'y'.repeat(150)}`)).toBe(`a ${'y'.repeat(117)}…`)
  })

  it('[SHOW-7] never ends within a character or with a loose joiner, and is never longer than it may be', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 8 }), async (given) => {
        const text = `Is ${given}`
        const whole = (await listOf([skill('a', { description: text.repeat(20) })], 'tool', false)).text.slice(5)
        const shown = await shorten(text.repeat(20))
        expect(shown.length).toBeLessThanOrEqual(120)
        expect(shown.isWellFormed()).toBe(whole.isWellFormed())
        if (shown.endsWith('…')) {
          expect(whole.startsWith(shown.slice(0, -1))).toBe(true)
          expect(shown.slice(0, -1)).not.toMatch(/(?:\s|\u200D|\uFE0F)$/)
        }
      }),
    )
  })
})
