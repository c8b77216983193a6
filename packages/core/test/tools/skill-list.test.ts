import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveBudget } from '../../src/disclosure/budget.ts'
import type { ListingStyle } from '../../src/tools/styles/table.ts'
import { estimateTokens } from '../../src/text/tokens.ts'
import { matchedList, renderListing, skillList } from '../../src/tools/skill-list.ts'
import type { Layer, Skill } from '../../src/ports/skill.ts'
import { foreign } from '../foreign.ts'

const STYLES: readonly ListingStyle[] = ['xml', 'section', 'tool', 'tools', 'matched']

interface Given {
  readonly description?: string
  readonly whenToUse?: string
  readonly layer?: Layer
}

/** A skill as a catalog lists it. */
function skill(name: string, { description = `Does ${name}.`, whenToUse, layer = 'project' }: Given = {}): Skill {
  return {
    name,
    layer,
    source: 'memory',
    location: `/skills/${name}`,
    path: `/skills/${name}/SKILL.md`,
    folder: foreign(undefined),
    manifest: {
      name,
      description,
      ...(whenToUse !== undefined && { whenToUse }),
      metadata: {},
      type: 'instruction',
      status: 'active',
      context: 'inherit',
      hooks: { pre: [], post: [] },
      priority: 0,
      tags: [],
      scope: {},
      toolsets: [],
      triggers: { keywords: [], verbs: [], patterns: [] },
      disableModelInvocation: false,
      userInvocable: true,
      extra: {},
    },
  }
}

const numbered = (count: number, description: (n: number) => string): readonly Skill[] =>
  Array.from({ length: count }, (_, n) =>
    skill(`skill-${String(n).padStart(5, '0')}`, {
      description: description(n),
      layer: n % 2 ? 'personal' : 'project',
    }),
  )

/** A budget of so many tokens, where each character counts as one. */
const characters = (tokens: number) => ({ contextWindow: tokens, share: 1, countTokens: (text: string) => text.length })

const skillsArbitrary = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}(-[a-z0-9]{1,4})?$/),
      description: fc.oneof(fc.lorem({ maxCount: 30 }), fc.string({ unit: 'grapheme', maxLength: 200 })),
      layer: fc.constantFrom<Layer>('personal', 'project', 'bundled'),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 40 },
  )
  .map((given) => given.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, ...rest }) => skill(name, rest)))

const LAYERS: readonly Layer[] = ['personal', 'project', 'bundled']

describe('renderListing', () => {
  it('[SHOW-7] shows all whole where there is room', () => {
    const { text, cuts } = renderListing([skill('a'), skill('b')], 'section')
    expect(text).toBe('## Available Skills\n\n- a: Does a. (/skills/a/SKILL.md)\n- b: Does b. (/skills/b/SKILL.md)')
    expect(cuts).toMatchObject({ shortened: [], withoutDescription: [], dropped: [], budget: 4_000 })
  })

  it('[SHOW-1, SHOW-2, SHOW-3] lists when to use a skill behind its description', () => {
    const skills = [skill('pdf', { description: 'Reads PDF files.', whenToUse: 'Use it for forms.' })]
    expect(renderListing(skills, 'xml').text).toContain('<description>\nReads PDF files.\nUse it for forms.\n</desc')
    for (const style of ['section', 'tool'] as const)
      expect(renderListing(skills, style).text).toContain(
        '- pdf: Reads PDF files. Use it for forms. (/skills/pdf/SKILL.md)',
      )
    expect(renderListing(skills, 'tools').tools[0]?.description).toBe('Reads PDF files.\nUse it for forms.')
    expect(renderListing(skills, 'matched').text).toContain('\n\nReads PDF files. Use it for forms.\n\n')
  })

  it('[SHOW-7] cuts the longest descriptions first, to a common length, and says in data which', () => {
    const skills = [
      skill('long', { description: 'one two three four five six seven eight nine ten eleven twelve' }),
      skill('longer', {
        description: 'one two three four five six seven eight nine ten eleven twelve '.repeat(5),
      }),
      skill('short', { description: 'Does little here.' }),
    ]
    const { text, cuts } = renderListing(skills, 'tool', characters(227))
    expect(text.split('\n')).toEqual([
      '- long: one two three four five six seven eight… (/skills/long/SKILL.md)',
      '- longer: one two three four five six seven eight… (/skills/longer/SKILL.md)',
      '- short: Does little here. (/skills/short/SKILL.md)',
    ])
    expect(cuts).toEqual({
      shortened: ['long', 'longer'],
      withoutDescription: [],
      dropped: [],
      tokens: text.length + '\n["long","longer","short"]'.length,
      budget: 227,
    })
  })

  it('[SHOW-7] leaves descriptions out before it drops names, those of the lowest layer first, then the last by name', () => {
    const skills = [
      skill('a', { layer: 'project' }),
      skill('b', { layer: 'bundled' }),
      skill('c', { layer: 'enterprise' }),
      skill('d', { layer: 'project' }),
    ]
    const layers: readonly Layer[] = ['enterprise', 'project', 'bundled']
    const cutsAt = (room: number) => renderListing(skills, 'tool', characters(room), layers).cuts
    const all = cutsAt(1_000).tokens!
    const steps = [cutsAt(all - 1), cutsAt(all - 40), cutsAt(all - 75), cutsAt(all - 110)]
    expect(steps.map(({ withoutDescription }) => withoutDescription)).toEqual([
      ['b'],
      ['b', 'd'],
      ['a', 'b', 'd'],
      ['a', 'b', 'c', 'd'],
    ])
    expect(steps.flatMap(({ dropped }) => dropped)).toEqual([])
  })

  it('[SHOW-7] drops names in the same order, and says in the list how many', () => {
    const skills = numbered(100, () => 'Does something.')
    const { text, cuts } = renderListing(skills, 'section', characters(600), ['personal', 'project'])
    const left = 100 - cuts.dropped.length
    expect(left).toBeGreaterThan(5)
    expect(text).toContain(`(${cuts.dropped.length} more skills are not listed here, for lack of space.`)
    expect(text.match(/- skill-/g)).toHaveLength(left)
    // Every other one is of the layer above.
    expect(text).toContain('- skill-00001\n- skill-00003\n')
    expect(text).not.toContain('skill-00002')
  })

  it('[SHOW-7] lists none where not even one has room, and says so', () => {
    const { text, cuts } = renderListing([skill('a'), skill('b')], 'xml', characters(10))
    expect(text).toContain('(2 skills are not listed here, for lack of space. Each can be activated by its name.)')
    expect(cuts.dropped).toEqual(['a', 'b'])
    expect(renderListing([skill('a')], 'tools', characters(10)).text).toBe(
      '(1 skill is not among the tools, for lack of space. Each can be called as `skill_` and its name.)',
    )
  })

  it('[SHOW-7] cuts nothing where there is no budget', () => {
    const skills = numbered(2_000, () => 'word '.repeat(200))
    const { text, cuts } = renderListing(skills, 'xml', false)
    expect(text.match(/<skill>/g)).toHaveLength(2_000)
    expect(cuts).toEqual({ shortened: [], withoutDescription: [], dropped: [] })
  })

  it('[SHOW-7] shows nothing, and no note, where there is no skill', () => {
    for (const style of STYLES) {
      expect(renderListing([], style)).toMatchObject({ text: '', tools: [], cuts: { dropped: [] } })
    }
  })

  it.each(STYLES)(
    '[SHOW-7, ABUSE-103] keeps 500 skills of long descriptions to the budget in the style %s',
    (style) => {
      const skills = numbered(500, (n) => `Handles case ${n}. ${'Use it whenever a task could need it. '.repeat(25)}`)
      const { text, tools, cuts } = renderListing(skills, style)
      expect(cuts.tokens).toBeLessThanOrEqual(4_000)
      expect(estimateTokens(text)).toBeLessThanOrEqual(4_000)
      const shown =
        style === 'tools' ? tools.map(({ name }) => name.slice('skill_'.length)) : text.match(/skill-\d{5}/g)!
      const names = skills.map(({ name }) => name)
      expect([...new Set(shown), ...cuts.dropped].toSorted()).toEqual(names)
      expect([...new Set(shown)]).toEqual([...new Set(shown)].toSorted())
      expect(renderListing(skills, style)).toEqual({ text, tools, cuts })
      if (cuts.dropped.length > 0) expect(text).toContain(`(${cuts.dropped.length} more skills are not`)
    },
  )

  it.each(STYLES)(
    '[SHOW-7] is never over budget in the style %s unless nothing is listed, and loses no skill',
    (style) => {
      fc.assert(
        fc.property(skillsArbitrary, fc.integer({ min: 1, max: 6_000 }), (skills, room) => {
          const { text, tools, cuts } = renderListing(skills, style, characters(room), LAYERS)
          const { shortened, withoutDescription, dropped } = cuts
          const listed = skills.length - dropped.length
          if (listed > 0) expect(cuts.tokens).toBeLessThanOrEqual(room)
          if (listed > 0) expect(text.length).toBeLessThanOrEqual(room)
          // Shortening before leaving out, leaving out before dropping.
          if (dropped.length > 0) {
            expect(shortened).toEqual([])
            expect(withoutDescription).toHaveLength(listed)
          }
          const count = style === 'matched' ? (text.match(/^## Skill: /gm) ?? []).length : tools.length
          if (style === 'matched' || style === 'tools') expect(count).toBe(listed)
          // Each name stands in one list of cuts at the most, in the order of names.
          const cut = [...shortened, ...withoutDescription, ...dropped]
          expect(new Set(cut).size).toBe(cut.length)
          for (const names of [shortened, withoutDescription, dropped]) expect(names).toEqual(names.toSorted())
          // What is dropped is never of a higher layer than what is listed.
          const rank = (name: string): number => LAYERS.indexOf(skills.find((each) => each.name === name)!.layer)
          if (style !== 'matched' && dropped.length > 0 && listed > 0) {
            const kept = skills.filter(({ name }) => !dropped.includes(name))
            expect(Math.max(...kept.map(({ name }) => rank(name)))).toBeLessThanOrEqual(Math.min(...dropped.map(rank)))
          }
          expect(renderListing([...skills], style, characters(room), LAYERS)).toEqual({ text, tools, cuts })
        }),
      )
    },
  )

  it('[SHOW-7] cuts less or as much where there is more room', () => {
    fc.assert(
      fc.property(skillsArbitrary, fc.integer({ min: 1, max: 3_000 }), fc.nat(2_000), (skills, room, more) => {
        const tight = renderListing(skills, 'tool', characters(room), LAYERS).cuts
        const wide = renderListing(skills, 'tool', characters(room + more), LAYERS).cuts
        expect(wide.dropped.length).toBeLessThanOrEqual(tight.dropped.length)
        for (const name of wide.dropped) expect(tight.dropped).toContain(name)
      }),
    )
  })
})

describe('skillList', () => {
  it('[SHOW-7] is made once for one list and settings', () => {
    const skills = numbered(10, () => 'Does.')
    const settings = { style: 'xml', budget: resolveBudget(), layers: LAYERS } as const
    expect(skillList(skills, settings)).toBe(skillList(skills, settings))
    expect(skillList([...skills], settings)).not.toBe(skillList(skills, settings))
  })

  it('[SHOW-7] looks at no more of ten thousand skills than about what has room', () => {
    let counted = 0
    const countTokens = (text: string): number => {
      counted += text.length
      return text.length / 4
    }
    const skills = numbered(10_000, () => 'word '.repeat(200))
    const { cuts } = renderListing(skills, 'xml', { countTokens })
    expect(cuts.dropped.length).toBeGreaterThan(9_000)
    // All of them are ten million characters, their names alone four hundred thousand.
    expect(counted).toBeLessThan(300_000)
  })
})

describe('matchedList', () => {
  const settings = { style: 'matched', budget: undefined, layers: [] } as const

  it('[SHOW-5] shows active skills first, once each, and never a body', () => {
    const [a, b] = [skill('a'), skill('b')]
    const { text, names } = matchedList({ active: [b, { name: 'gone' }], relevant: [b, a] }, settings)
    expect(text).toBe(
      [
        '## Skill: b',
        'Does b.',
        'This skill is active: its instructions were returned when it was activated, and hold.',
        '## Skill: gone',
        'This skill is active: its instructions were returned when it was activated, and hold.',
        '## Skill: a',
        'Does a.',
        'Location: /skills/a/SKILL.md',
      ].join('\n\n'),
    )
    expect(names).toEqual(['b', 'a'])
  })

  it('[SHOW-5, SHOW-7] cuts the least relevant first, and active ones never', () => {
    const names = Array.from({ length: 20 }, (_, n) => `s${String(19 - n).padStart(2, '0')}`)
    const { text, cuts } = matchedList(
      { active: [skill('z')], relevant: names.map((name) => skill(name)) },
      { ...settings, budget: resolveBudget(characters(400)) },
    )
    expect(text).toContain('## Skill: z\n\nDoes z.')
    const left = 20 - cuts.dropped.length
    expect(left).toBeGreaterThan(3)
    expect(cuts.dropped).toEqual(names.slice(left))
    expect(text.startsWith(`(${cuts.dropped.length} more skills are not listed here`)).toBe(true)
  })
})
