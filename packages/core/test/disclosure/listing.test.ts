import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ListingStyle, memorySource, openRepertoire, showInvisible } from '../../src/index.ts'
import { escapeXml, openAdapterSession } from '../../src/adapter.ts'
import { oneLine, stripInvisible } from '@repertoire/skill-md/internal'
import { listOf, skill } from '../tools/listed-skills.ts'

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

const listed = async (style: ListingStyle, description: string): Promise<string> =>
  (await listOf([skill('x', { description })], style)).text

describe('a list as XML', () => {
  it('[SHOW-1] has name, description and the path of its SKILL.md, each skill on one line', async () => {
    const { text } = await listOf([skill('pdf', { description: 'Reads PDF files.' })], 'xml')
    expect(text).toBe(
      '<available_skills>\n<skill name="pdf" location="memory:project/pdf/SKILL.md">Reads PDF files.</skill>\n</available_skills>',
    )
  })

  it('[SHOW-1, ABUSE-102] escapes any description so that it cannot leave its element, and loses nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const xml = await listed('xml', `Is ${text}`)
        const inside = /SKILL\.md">(.*)<\/skill>/.exec(xml)?.[1]
        expect(inside).not.toMatch(/[<>]/)
        expect(unescape(inside ?? '')).toBe(stripInvisible(`Is ${text}`).replace(/\s+/g, ' ').trim())
      }),
    )
  })

  it('[SHOW-1] keeps `$&` and other replacement patterns as they are', async () => {
    expect(await listed('xml', "$& $1 $$ $` $'")).toContain("$&amp; $1 $$ $` $'")
  })

  it('[ABUSE-105] strips tag characters, control characters and direction overrides', async () => {
    expect(await listed('xml', 'a\u{E0041}b\u001B[31mc\u202Ed')).toContain('>ab[31mcd<')
  })

  it('[ABUSE-105] makes such characters visible in the location, which whoever creates a folder controls', async () => {
    for (const style of ['xml', 'section'] as const) {
      const files = { 'SKILL.md': '---\nname: x\ndescription: X.\n---\nDo it.\n' }
      const sources = [memorySource({ id: 'a\u{E0041}\u202E\u200Bb', skills: { x: files } })]
      const session = openAdapterSession(await openRepertoire({ sources, listing: { style } }))
      const { instructions } = await session.step({ tools: [] })
      expect(instructions).toContain(String.raw`memory:a\u{E0041}\u{202E}\u{200B}b/x/SKILL.md`)
      expect(stripInvisible(instructions)).toBe(instructions)
    }
  })
})

describe('a list as a section', () => {
  it('[SHOW-2] has name, description and location under a heading', async () => {
    const skills = [skill('a', { description: 'First.' }), skill('b', { description: 'Second.' })]
    expect((await listOf(skills, 'section')).text).toBe(
      '## Available Skills\n\n- a: First. (memory:project/a/SKILL.md)\n- b: Second. (memory:project/b/SKILL.md)',
    )
  })

  it('[SHOW-2, ABUSE-102] keeps every entry on one line, so that a description begins no heading', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect((await listed('section', `${text}\n# Heading`)).split('\n')).toHaveLength(3)
      }),
    )
  })
})

describe('escaping', () => {
  it('[SHOW-1] is undone by unescaping', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(unescape(escapeXml(text))).toBe(text)
      }),
    )
  })

  it('[ASK-4, ABUSE-93] shows control and direction characters as code points', () => {
    expect(showInvisible('a\u001B[2Jb\u202Ec\nd')).toBe('a\\u{1B}[2Jb\\u{202E}c\\u{A}d')
  })

  it('[SHOW-2] makes one line of many', () => {
    expect(oneLine(' a\r\n\tb\u2028c ')).toBe('a b c')
  })
})
