import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '@repertoire/test-servers/properties'
import { estimateTokens, type Layer, LISTING_STYLES as STYLES, type ListingStyle } from '../../src/index.ts'
import { characters, type Listed, listOf, skill } from './listed-skills.ts'

const numbered = (count: number, description: (n: number) => string): readonly Listed[] =>
  Array.from({ length: count }, (_, n) =>
    skill(`skill-${String(n).padStart(5, '0')}`, {
      description: description(n),
      layer: n % 2 ? 'personal' : 'project',
    }),
  )

const skillsArbitrary = fc
  .uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}(-[a-z0-9]{1,4})?$/),
      description: fc.oneof(
        fc.lorem({ maxCount: 30 }),
        fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => `Is ${text}`),
      ),
      layer: fc.constantFrom<Layer>('personal', 'project', 'bundled'),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 40 },
  )
  .map((given) => given.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, ...rest }) => skill(name, rest)))

const LAYERS: readonly Layer[] = ['personal', 'project', 'bundled']

describe('the list that a step shows', () => {
  it('[SHOW-7] shows all whole if there is room', async () => {
    const { text, cuts } = await listOf([skill('a'), skill('b')], 'section')
    expect(text).toBe(
      '## Available Skills\n\n- a: Does a. (memory:project/a/SKILL.md)\n- b: Does b. (memory:project/b/SKILL.md)',
    )
    expect(cuts).toMatchObject({ shortened: [], withoutDescription: [], dropped: [], budget: 4_000 })
  })

  it('[SHOW-1, SHOW-2, SHOW-3] lists when to use a skill behind its description', async () => {
    const skills = [skill('pdf', { description: 'Reads PDF files.', whenToUse: 'Use it for forms.' })]
    expect((await listOf(skills, 'xml')).text).toContain('>Reads PDF files. Use it for forms.</skill>')
    const line = '- pdf: Reads PDF files. Use it for forms.'
    for (const style of ['lines', 'tool'] as const) expect((await listOf(skills, style)).text).toBe(line)
    expect((await listOf(skills, 'section')).text).toContain(`${line} (memory:project/pdf/SKILL.md)`)
    expect((await listOf(skills, 'tools')).tools[0]?.description).toBe('Reads PDF files.\nUse it for forms.')
    expect((await listOf(skills, 'matched')).text).toContain('\n\nDescription: Reads PDF files. Use it for forms.')
  })

  it('[SHOW-7] cuts the longest descriptions first, to a common length, and says in data which', async () => {
    const skills = [
      skill('long', { description: 'one two three four five six seven eight nine ten eleven twelve' }),
      skill('longer', {
        description: 'one two three four five six seven eight nine ten eleven twelve '.repeat(5),
      }),
      skill('short', { description: 'Does little here.' }),
    ]
    const { text, cuts } = await listOf(skills, 'tool', characters(260))
    expect(text.split('\n')).toEqual([
      '- long: one two three four five six seven eight nine ten eleven twelve',
      `- longer: one two three four five six seven eight nine ten eleven twelve one two three four five six seven eight nine ten eleven twelve one two three four five…`,
      '- short: Does little here.',
    ])
    expect(cuts).toEqual({
      details: [],
      shortened: ['longer'],
      withoutDescription: [],
      dropped: [],
      tokens: text.length,
      budget: 260,
    })
  })

  it('[SHOW-7] leaves out what says nothing about a skill before it cuts a description: white space, locations', async () => {
    const skills = [skill('a', { description: 'Does\n  a & b.' }), skill('b')]
    const cutsIn = async (style: ListingStyle): Promise<readonly string[]> => {
      const seen: string[] = []
      const whole = (await listOf(skills, style, characters(10_000))).cuts.tokens!
      for (let room = whole; room > 0; room--) {
        const { text, tools, cuts } = await listOf(skills, style, characters(room))
        if (cuts.withoutDescription.length + cuts.dropped.length > 0) break
        expect(cuts.shortened).toEqual([])
        expect(text.includes('SKILL.md')).toBe(!cuts.details.includes('locations') && style !== 'tools')
        expect(JSON.stringify(tools).includes('args')).toBe(style === 'tools' && !cuts.details.includes('arguments'))
        if (seen.at(-1) !== cuts.details.join()) seen.push(cuts.details.join())
      }
      return seen
    }
    for (const style of ['xml', 'section'] as const) expect(await cutsIn(style)).toEqual(['', 'locations'])
    expect(await cutsIn('tools')).toEqual(['', 'white-space,arguments'])
  })

  it('[SHOW-7, SHOW-1, SHOW-4] shows without them the same words, escaped where they were', async () => {
    const skills = [skill('a', { description: 'Does\n  a & b.' }), skill('b')]
    const lengthOf = async (style: ListingStyle): Promise<number> =>
      (await listOf(skills, style, characters(10_000))).cuts.tokens!
    expect((await listOf(skills, 'xml', characters((await lengthOf('xml')) - 1))).text).toBe(
      '<available_skills>\n<skill name="a">Does a &amp; b.</skill>\n<skill name="b">Does b.</skill>\n</available_skills>',
    )
    const [first] = (await listOf(skills, 'tools', characters((await lengthOf('tools')) - 20))).tools
    expect(first).toMatchObject({ description: 'Does a & b.', inputSchema: { type: 'object', properties: {} } })
  })

  it('[SHOW-7] leaves descriptions out before it drops names, those of the lowest layer first', async () => {
    const skills = [
      skill('a', { layer: 'project' }),
      skill('b', { layer: 'bundled' }),
      skill('c', { layer: 'enterprise' }),
      skill('d', { layer: 'project' }),
    ]
    const cutsAt = async (room: number) => (await listOf(skills, 'tool', characters(room))).cuts
    const all = (await cutsAt(1_000)).tokens!
    const seen = await Promise.all(Array.from({ length: all }, (_, less) => cutsAt(all - less)))
    const kinds = [
      ...new Set(seen.filter(({ dropped }) => dropped.length === 0).map((cuts) => cuts.withoutDescription.join())),
    ]
    expect(kinds).toEqual(['', 'b', 'b,d', 'a,b,d', 'a,b,c,d'])
    expect(new Set(seen.map(({ dropped }) => dropped.length)).size).toBeGreaterThan(1)
  })

  it('[SHOW-7] drops names in the same order, and says in the list how many', async () => {
    const skills = numbered(100, () => 'Does something.')
    const { text, cuts } = await listOf(skills, 'section', characters(600))
    const left = 100 - cuts.dropped.length
    expect(left).toBeGreaterThan(5)
    expect(text).toContain(`(Skills not listed here, for lack of space: ${cuts.dropped.length}.`)
    const listed = text.match(/- skill-\d+/g)!
    expect(listed).toHaveLength(left)
    expect(listed).toEqual(listed.toSorted())
    // Every other one is of the layer above.
    for (const name of listed) expect(Number(name.slice(-1)) % 2).toBe(1)
    // Within a layer it is not the alphabet that decides.
    expect(Number(listed.at(-1)!.slice(-2))).toBeGreaterThan(2 * left)
  })

  it('[SHOW-7] lists none where not even one has room, and says so', async () => {
    const { text, cuts } = await listOf([skill('a'), skill('b')], 'xml', characters(10))
    expect(text).toContain('(Skills not listed here, for lack of space: 2. Each can be activated by its name.)')
    expect(cuts.dropped).toEqual(['a', 'b'])
    expect((await listOf([skill('a')], 'tools', characters(10))).text).toBe(
      '(Skills not among the tools, for lack of space: 1. Each can be called as `skill_` and its name.)',
    )
  })

  it('[SHOW-7] cuts nothing if there is no budget', async () => {
    const skills = numbered(2_000, () => 'word '.repeat(200))
    const { text, cuts } = await listOf(skills, 'xml', false)
    expect(text.match(/<skill /g)).toHaveLength(2_000)
    expect(cuts).toEqual({ details: [], shortened: [], withoutDescription: [], dropped: [] })
  })

  it('[SHOW-7] shows nothing, and no note, if there is no skill', async () => {
    for (const style of STYLES) {
      expect(await listOf([], style)).toMatchObject({ text: '', tools: [], cuts: { dropped: [] } })
    }
  })

  it.each(STYLES)(
    '[SHOW-7, ABUSE-103] keeps 500 skills of long descriptions to the budget in the style %s',
    async (style) => {
      const skills = numbered(500, (n) => `Handles case ${n}. ${'Use it whenever a task could need it. '.repeat(25)}`)
      const { text, tools, cuts } = await listOf(skills, style)
      expect(cuts.tokens).toBeLessThanOrEqual(4_000)
      expect(estimateTokens(text)).toBeLessThanOrEqual(4_000)
      const shown =
        style === 'tools' ? tools.map(({ name }) => name.slice('skill_'.length)) : text.match(/skill-\d{5}/g)!
      const names = skills.map(({ name }) => name)
      expect([...new Set(shown), ...cuts.dropped].toSorted()).toEqual(names)
      expect([...new Set(shown)]).toEqual([...new Set(shown)].toSorted())
      expect(await listOf(skills, style)).toEqual({ text, tools, cuts })
      if (cuts.dropped.length > 0) expect(text).toContain(`for lack of space: ${cuts.dropped.length}.`)
    },
  )

  it.each(STYLES)(
    '[SHOW-7] is never over budget in the style %s unless nothing is listed, and loses no skill',
    async (style) => {
      await fc.assert(
        fc.asyncProperty(skillsArbitrary, fc.integer({ min: 1, max: 6_000 }), async (skills, room) => {
          const { text, tools, cuts } = await listOf(skills, style, characters(room))
          const { shortened, withoutDescription, dropped } = cuts
          const listed = skills.length - dropped.length
          if (listed > 0) expect(cuts.tokens).toBeLessThanOrEqual(room)
          if (listed > 0) expect(text.length).toBeLessThanOrEqual(room)
          // Details before descriptions, descriptions before names.
          const isCut = shortened.length + withoutDescription.length + dropped.length > 0
          if (isCut && ['xml', 'section', 'tools'].includes(style)) expect(cuts.details).not.toEqual([])
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
        }),
      )
    },
  )

  it.each([
    ['characters', (text: string) => text.length],
    ['our estimate', undefined],
    ['words', (text: string) => text.split(/\s+/).length],
  ])('[SHOW-7] never shows less of a skill where there is more room, counted in %s', async (_, countTokens) => {
    /** How much is shown of each skill: its description, its name alone, or nothing. */
    const shownOf = async (skills: readonly Listed[], room: number, search: 'never' | 'always') => {
      const budget = { window: room, share: 1, ...(countTokens && { countTokens }) }
      const { text } = await listOf(skills, 'tool', budget, search)
      const lines = [...text.matchAll(/^- ([a-z0-9-]+)(?:: (.*?))?$/gm)]
      return new Map(lines.map(([, name, description]) => [name!, description?.length ?? -1]))
    }
    await fc.assert(
      fc.asyncProperty(
        skillsArbitrary,
        fc.integer({ min: 1, max: 3_000 }),
        fc.nat(200),
        fc.constantFrom('never', 'always'),
        async (skills, room, more, search) => {
          const wide = await shownOf(skills, room + more, search)
          for (const [name, length] of await shownOf(skills, room, search))
            expect(wide.get(name) ?? -2).toBeGreaterThanOrEqual(length)
        },
      ),
      { numRuns: runs(150) },
    )
  })

  it.each(STYLES)(
    '[SHOW-7] counts the tokens of what it shows, by our own estimate too, in the style %s',
    async (style) => {
      const asShown = new Map<string, number>()
      const counted = (text: string): number => {
        asShown.set(text, estimateTokens(text))
        return asShown.get(text)!
      }
      await fc.assert(
        fc.asyncProperty(skillsArbitrary, fc.integer({ min: 1, max: 1_500 }), async (skills, room) => {
          // A counter of the host's is given the whole text, and ours its lines: both have to agree on what fits.
          const whole = await listOf(skills, style, { window: room, share: 1, countTokens: counted })
          const byLines = await listOf(skills, style, { window: room, share: 1 })
          expect([...asShown.values()]).toContain(byLines.cuts.tokens)
          if (byLines.cuts.dropped.length < skills.length) expect(byLines.cuts.tokens).toBeLessThanOrEqual(room)
          expect(byLines.cuts.dropped.length).toBeLessThanOrEqual(whole.cuts.dropped.length + 1)
          if (style !== 'tools') expect(estimateTokens(byLines.text)).toBeLessThanOrEqual(byLines.cuts.tokens!)
          asShown.clear()
        }),
        { numRuns: runs(60) },
      )
    },
  )

  it('[SHOW-7] lists no name without a description where the model can search', async () => {
    const skills = numbered(300, (n) => `Handles case ${n}. ${'Use it whenever a task could need it. '.repeat(5)}`)
    const { cuts, text } = await listOf(skills, 'section', {}, 'always')
    expect(cuts.withoutDescription).toEqual([])
    expect(cuts.dropped.length).toBeGreaterThan(100)
    expect(cuts.details).toEqual(['locations'])
    expect(text).toContain(`(Skills not listed here, for lack of space: ${cuts.dropped.length}.`)
  })

  it('[SHOW-7] cuts last what the host keeps, then what has priority, then the higher layer', async () => {
    const skills = [
      skill('a'),
      skill('b', { layer: 'bundled' }),
      skill('c', { layer: 'bundled', priority: 2 ** 52 }),
      skill('d', { layer: 'personal' }),
      skill('e', { layer: 'personal', priority: -1 }),
    ]
    const orderOf = async (keep: readonly string[]): Promise<string> => {
      const order: string[] = []
      for (let room = 1; room < 400; room++) {
        const { text } = await listOf(skills, 'tool', { ...characters(room), keep })
        for (const [, name] of text.matchAll(/^- (\w):/gm)) if (!order.includes(name!)) order.push(name!)
      }
      return order.join('')
    }
    expect(await orderOf(['b', 'nobody', 'a', 'b'])).toBe('bacde')
    expect(await orderOf([])).toBe('cdabe')
    // The order shown is that of names all the same.
    expect((await listOf(skills, 'tool', { ...characters(400), keep: ['e'] })).text).toMatch(/^- a[^]*- e/)
  })

  it('[SHOW-7] cuts equal skills in an order that is no alphabet, and the same in every list', async () => {
    const skills = numbered(200, (n) => `Does ${n}.`).map((each) => ({ ...each, layer: 'project' as const }))
    const dropped = async (of: readonly Listed[], room: number) =>
      (await listOf(of, 'tool', characters(room))).cuts.dropped
    const half = await dropped(skills, 1_400)
    const gaps = half.filter((name, index) => index > 0 && name > `${half[index - 1]!}0`)
    expect(half.length).toBeGreaterThan(50)
    expect(half.length).toBeLessThan(150)
    expect(gaps.length).toBeGreaterThan(30)
    const some = skills.filter(({ name }) => half.includes(name))
    const fewer = await dropped(some, 700)
    for (let room = 1_400; room > 0; room -= 100) {
      const all = (await dropped(skills, room)).filter((name) => half.includes(name))
      if (all.length === fewer.length) expect(all).toEqual(fewer)
    }
  })

  it('[SHOW-7] looks at no more of ten thousand skills than about what has room', async () => {
    let counted = 0
    const countTokens = (text: string): number => {
      counted += text.length
      return text.length / 4
    }
    const skills = numbered(10_000, () => 'word '.repeat(200))
    const { cuts } = await listOf(skills, 'xml', { countTokens })
    expect(cuts.dropped.length).toBeGreaterThan(9_000)
    // All of them are ten million characters, their names alone four hundred thousand.
    expect(counted).toBeLessThan(300_000)
  })
})
