import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memorySource } from '../../src/catalog/memory-source.ts'
import { openRepertoire } from '../../src/repertoire/repertoire.ts'
import { renderListing } from '../../src/tools/skill-list.ts'
import { skillToolsOf } from '../../src/tools/per-skill.ts'

const told = (description: string): string =>
  skillToolsOf([{ name: 'a', location: '/a', manifest: { description } }])[0]!.description

describe('the tools of skills', () => {
  it('[SHOW-4] have descriptions of at most 1,024 characters, in which nothing that fits is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word', ' ', '\n\n', '<', '&', '"', '🙂', 'é'), { maxLength: 3_000 }),
        (parts) => {
          const text = parts.join('')
          const shown = told(text)
          expect(shown.length).toBeLessThanOrEqual(1_024)
          expect(shown.isWellFormed()).toBe(true)
          const whole = text.replace(/\s+/g, ' ').trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;')
          if (whole.length <= 1_024 && whole !== '') expect(shown).toBe(whole)
          else if (whole !== '') expect(shown).toMatch(/…$/)
        },
      ),
    )
    expect(told('<'.repeat(3_000)).length).toBeGreaterThan(900)
    expect(told('word '.repeat(1_000)).length).toBeGreaterThan(1_000)
  })

  it('[SHOW-4, SHOW-7] tell in the cuts of a list that a description was too long for a tool', async () => {
    const manifest = (name: string, more: string) =>
      `---\nname: ${name}\ndescription: One.\nwhen_to_use: ${more}\n---\nBody.\n`
    const skills = {
      long: { 'SKILL.md': manifest('long', 'Use it. '.repeat(200)) },
      short: { 'SKILL.md': manifest('short', 'Use it.') },
    }
    const { catalog } = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    for (const budget of [undefined, false] as const) {
      const { tools, cuts } = renderListing(catalog.list(), 'tools', budget)
      expect(tools.map(({ description }) => description.length <= 1_024)).toEqual([true, true])
      expect(tools).toEqual(skillToolsOf(catalog.list()))
      expect(cuts.shortened).toEqual(['long'])
      expect(renderListing(catalog.list(), 'xml', budget).cuts.shortened).toEqual([])
    }
  })
})
