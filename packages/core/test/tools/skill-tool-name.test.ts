import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListedSkill } from '../../src/adapter.ts'
import { skillToolsOf } from '../../src/adapter.ts'

const skill = (name: string, description: string): ListedSkill => ({
  name,
  path: `/skills/${name}/SKILL.md`,
  manifest: { description },
})

const skillToolName = (name: string): string => skillToolsOf([skill(name, 'Does it.')])[0]!.name

const odd = fc.oneof(
  fc.string({ minLength: 1, maxLength: 300 }),
  fc.string({ unit: 'grapheme', minLength: 1 }),
  fc.stringMatching(/^[a-zA-Z0-9_-]{1,80}$/),
)

describe('the name of a skill’s tool', () => {
  it('[SHOW-4] is `skill_` and the name where a provider takes that', () => {
    expect(skillToolName('pdf-forms')).toBe('skill_pdf-forms')
    expect(skillToolName('a'.repeat(58))).toBe(`skill_${'a'.repeat(58)}`)
  })

  it('[SHOW-4] is what a provider takes for every name', () => {
    fc.assert(
      fc.property(odd, (name) => {
        expect(skillToolName(name)).toMatch(/^skill_[a-z0-9_-]{1,58}$/)
      }),
    )
    for (const name of [
      'a'.repeat(59),
      'a'.repeat(64),
      '技能',
      'Größe',
      'a/b',
      '-',
      'skill_x',
      'constructor',
      '__proto__',
    ])
      expect(skillToolName(name)).toMatch(/^skill_[a-z0-9_-]{1,58}$/)
  })

  it('[SHOW-4] keeps what can be read of a name, and tells names apart that are equal in that', () => {
    expect(skillToolName('Größe Prüfen')).toMatch(/^skill_gro-e-pru-fen_[0-9a-f]{20}$/)
    const alike = ['data/pdf', 'data-pdf', 'Data-PDF', 'data pdf', 'data_pdf', 'data–pdf']
    expect(new Set(alike.map(skillToolName)).size).toBe(alike.length)
    const long = ['x', 'y'].map((end) => skillToolName('a'.repeat(63) + end))
    expect(new Set(long).size).toBe(2)
  })

  it('[SHOW-4] gives two names two tools, whatever the names, even where case is folded', () => {
    fc.assert(
      fc.property(odd, odd, (a, b) => {
        fc.pre(a !== b)
        expect(skillToolName(a).toLowerCase()).not.toBe(skillToolName(b).toLowerCase())
      }),
    )
    // No plain name is what another is mapped to.
    const mapped = skillToolName('技能').slice('skill_'.length)
    expect(skillToolName(mapped)).not.toBe(skillToolName('技能'))
  })

  it('[SHOW-4] is the same in every version: it stands in stored conversations', () => {
    expect(skillToolName('技能')).toBe('skill__99aea2f9131ad6dad0e5')
  })
})

describe('skillToolsOf', () => {
  it("[SHOW-4] describes each with the skill's own words, or as a reference guide if it has none", () => {
    const tools = skillToolsOf([skill('pdf', 'Reads "PDF" files.'), skill('bare', '  \u200B ')])
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['skill_pdf', 'Reads "PDF" files.'],
      ['skill_bare', 'Reference guide for bare'],
    ])
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: [], additionalProperties: false })
    expect(Object.keys(tools[0]?.inputSchema['properties'] as object)).toEqual(['args'])
  })

  it('[SHOW-4, ABUSE-105] shows a description as it is written, without what nobody sees', () => {
    const [tool] = skillToolsOf([skill('x', 'a\n## b </tools>\u{E0041}\u202E\u001B[31m & c')])
    expect(tool?.description).toBe('a\n## b </tools>[31m & c')
  })
})
