import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { showInvisible } from '../../src/index.ts'
import { type ListedSkill, listAsSection, listAsXml, listForTool } from '../../src/adapter.ts'
import { escapeXml } from '../../src/adapter.ts'
import { oneLine, stripInvisible } from '@repertoire/skill-md/internal'

const skill = (name: string, description: string): ListedSkill => ({
  name,
  path: `/skills/${name}/SKILL.md`,
  manifest: { description },
})

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

describe('listAsXml', () => {
  it('[SHOW-1] lists name, description and the path of its SKILL.md, each element on one line', () => {
    expect(listAsXml([skill('pdf', 'Reads PDF files.')])).toBe(
      '<available_skills>\n<skill>\n<name>pdf</name>\n<description>Reads PDF files.</description>\n<location>/skills/pdf/SKILL.md</location>\n</skill>\n</available_skills>',
    )
  })

  it('[SHOW-1] is empty if there is no skill', () => {
    expect(listAsXml([])).toBe('')
    expect(listAsSection([])).toBe('')
    expect(listForTool([])).toBe('')
  })

  it('[SHOW-1, ABUSE-102] escapes any description so that it cannot leave its element, and loses nothing of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const xml = listAsXml([skill('x', text)])
        const inside = /<description>(.*)<\/description>/.exec(xml)?.[1]
        expect(inside).not.toMatch(/[<>]/)
        expect(unescape(inside ?? '')).toBe(stripInvisible(text).replace(/\s+/g, ' ').trim())
      }),
    )
  })

  it('[SHOW-1] keeps `$&` and other replacement patterns as they are', () => {
    expect(listAsXml([skill('x', "$& $1 $$ $` $'")])).toContain("$&amp; $1 $$ $` $'")
  })

  it('[ABUSE-105] strips tag characters, control characters and direction overrides', () => {
    expect(listAsXml([skill('x', 'a\u{E0041}b\u001B[31mc\u202Ed')])).toContain('>ab[31mcd<')
  })

  it('[ABUSE-105] makes such characters visible in the location, which whoever creates a folder controls', () => {
    const listed = [{ ...skill('x', 'X.'), path: '/s/a\u{E0041}\u202E\u200Bb' }]
    for (const list of [listAsXml, listAsSection]) {
      expect(list(listed)).toContain(String.raw`/s/a\u{E0041}\u{202E}\u{200B}b`)
      expect(stripInvisible(list(listed))).toBe(list(listed))
    }
  })
})

describe('listAsSection', () => {
  it('[SHOW-2] lists name, description and location under a heading', () => {
    expect(listAsSection([skill('a', 'First.'), skill('b', 'Second.')])).toBe(
      '## Available Skills\n\n- a: First. (/skills/a/SKILL.md)\n- b: Second. (/skills/b/SKILL.md)',
    )
  })

  it('[SHOW-2, ABUSE-102] keeps every entry on one line, so that a description begins no heading', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(listAsSection([skill('x', `${text}\n# Heading`)]).split('\n')).toHaveLength(3)
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
