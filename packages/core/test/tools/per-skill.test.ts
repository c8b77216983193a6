import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memorySource, openRepertoire } from '../../src/index.ts'
import { openAdapterSession, skillToolsOf } from '../../src/adapter.ts'

const told = (description: string): string =>
  skillToolsOf([{ name: 'a', path: '/a/SKILL.md', manifest: { description } }])[0]!.description

describe('the tools of skills', () => {
  it("[SHOW-4] have the author's text whole: nothing is cut, escaped or broken otherwise", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', ' ', '\n\n', '<b>', '&', '"', "'", '🙂', 'é', '$&'), { maxLength: 3_000 }),
        (parts) => {
          const text = parts.join('').trim()
          if (text !== '') expect(told(text)).toBe(text)
        },
      ),
    )
    expect(told('Reads <a> & "b".\nThen more.')).toBe('Reads <a> & "b".\nThen more.')
    expect(told('word '.repeat(1_000))).toHaveLength(4_999)
    expect(told('<'.repeat(1_024))).toBe('<'.repeat(1_024))
  })

  it('[SHOW-4, SHOW-7] tell in the cuts of a list that a description was too long for a tool', async () => {
    const manifest = (name: string, more: string) =>
      `---\nname: ${name}\ndescription: One.\nwhen_to_use: ${more}\n---\nBody.\n`
    const skills = {
      long: { 'SKILL.md': manifest('long', 'Use it. '.repeat(200)) },
      short: { 'SKILL.md': manifest('short', 'Use it.') },
    }
    const sources = [memorySource({ layer: 'project', skills })]
    for (const budget of [undefined, false] as const) {
      const stepOf = async (style: 'tools' | 'xml') => {
        const repertoire = await openRepertoire({ sources, listing: { style, budget } })
        return { catalog: repertoire.catalog, ...(await openAdapterSession(repertoire).step({ tools: [] })) }
      }
      const { catalog, skillTools: tools, cuts } = await stepOf('tools')
      expect(tools.map(({ description }) => description.length <= 1_024)).toEqual([true, true])
      const whole = skillToolsOf(catalog.list())
      expect(whole[0]!.description).toBe(`One.\n${'Use it. '.repeat(200)}`.trim())
      expect(whole[0]!.description.startsWith(tools[0]!.description.slice(0, -1))).toBe(true)
      expect(tools[1]).toEqual(whole[1])
      expect(cuts.shortened).toEqual(['long'])
      expect((await stepOf('xml')).cuts.shortened).toEqual([])
    }
  })
})
