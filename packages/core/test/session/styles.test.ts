import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import {
  type ListingStyle,
  type Outcome,
  type RepertoireOptions,
  memorySource,
  openRepertoire,
} from '../../src/index.ts'
import { type AdapterSessionOptions, openAdapterSession, skillToolsOf } from '../../src/adapter.ts'

const STYLES: readonly ListingStyle[] = ['xml', 'section', 'tool', 'tools', 'matched']

const LONG = 'long-'.repeat(12) + 'name'
const nameOf = (skill: string): string =>
  skillToolsOf([{ name: skill, path: '', manifest: { description: '' } }])[0]!.name

const SKILLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  careful: { 'SKILL.md': '---\nname: careful\ndescription: Edits with care.\nallowed-tools: Read\n---\nBe careful.\n' },
  free: { 'SKILL.md': '---\nname: free\ndescription: Is free.\n---\nBe free.\n', 'a.md': 'A file.\n' },
  hidden: { 'SKILL.md': '---\nname: hidden\ndescription: Hidden.\nscope:\n  agents: [other]\n---\nBe hidden.\n' },
  [LONG]: { 'SKILL.md': `---\nname: ${LONG}\ndescription: Has a long name.\n---\nBe long.\n` },
}

async function open(options: Partial<RepertoireOptions>, session: AdapterSessionOptions = {}) {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills: SKILLS })], ...options })
  return openAdapterSession(repertoire, { consent: () => true, ...session })
}

/** Carries one call out, in its own step. */
async function callIn(session: Awaited<ReturnType<typeof open>>, tool: string, input: unknown): Promise<Outcome> {
  return (await session.step({ tools: ['Read', 'Write'] })).call({ id: '1', tool, input }, () => 'ran')
}

describe('the style `tools`', () => {
  it.each(STYLES.filter((style) => style !== 'matched'))(
    '[SHOW-5, CFG-1] refuses a matcher in the style `%s`, which shows nothing of what it finds',
    async (style) => {
      const repertoire = await openRepertoire({ sources: [], listing: { style } })
      const options = { turns: { match: {} } }
      expect(() => openAdapterSession(repertoire, options)).toThrow(TypeError)
      expect(() => openAdapterSession(repertoire, options)).toThrow('the option `listing: { style: ')
      expect(openAdapterSession(repertoire, { turns: { match: undefined } }).activeSkills).toEqual([])
    },
  )

  it('[SHOW-4] offers one tool per visible skill in place of the activation tool, before those of active skills', async () => {
    const session = await open({ listing: { style: 'tools' } })
    const view = await session.step({ tools: ['Read'] })
    const own = ['skill_careful', 'skill_free', nameOf(LONG)]
    expect(view.tools.map(({ name }) => name)).toEqual(own)
    expect(view.skillTools.map(({ name }) => name)).toEqual(own)
    expect(view.skillTools[0]?.description).toBe('Edits with care.')
    expect(view.instructions).not.toContain('Edits with care.')
    await callIn(session, 'skill_free', {})
    expect((await session.step({ tools: ['Read'] })).tools.map(({ name }) => name)).toEqual([
      ...own,
      'deactivate_skill',
      'read_skill_resource',
    ])
    expect((await (await open({ listing: { style: 'xml' } })).step({ tools: ['Read'] })).skillTools).toEqual([])
  })

  it('[SHOW-4] activates a skill by a call of its tool, with the same text and the same gate', async () => {
    const session = await open({ listing: { style: 'tools' } })
    const byTool = await callIn(session, 'skill_careful', { args: 'all of it' })
    const byName = await callIn(await open({}), 'activate_skill', { name: 'careful', args: 'all of it' })
    expect(byTool).toEqual(byName)
    expect(byTool.text).toContain('Arguments: all of it')
    expect(await callIn(session, 'Write', {})).toMatchObject({ ok: false, refusal: { code: 'TOOL_NOT_ALLOWED' } })
    expect(await callIn(session, 'Read', {})).toMatchObject({ ok: true, value: 'ran' })
    expect((await callIn(session, 'skill_careful', {})).text).toContain('is already active')
    expect(await callIn(session, 'deactivate_skill', {})).toMatchObject({ ok: true })
    expect(session.state.active).toEqual([])
  })

  it('[SHOW-4] takes a call without an input, and in any case, and of a name that is mapped', async () => {
    const session = await open({ listing: { style: 'tools' } })
    expect(session.toolName('SKILL_Free')).toBe('skill_free')
    expect((await callIn(session, 'SKILL_Free', undefined)).text).toContain('Be free.')
    expect((await callIn(session, nameOf(LONG), {})).text).toContain('Be long.')
    expect(session.activeSkills).toEqual(['free', LONG])
  })

  it.each([
    ['no', 'INPUT_INVALID'],
    [{ args: 5 }, 'INPUT_INVALID'],
    [['a'], 'INPUT_INVALID'],
  ])('[SHOW-4] refuses the input %j with what is wrong with it, by the tool that was called', async (input, code) => {
    const outcome = await callIn(await open({ listing: { style: 'tools' } }), 'skill_free', input)
    expect(outcome).toMatchObject({ ok: false, refusal: { code } })
    expect(outcome.text).toContain('`skill_free`')
  })

  it('[SHOW-4] asks for consent as any activation does, in both phases', async () => {
    const repertoire = await openRepertoire({
      sources: [memorySource({ layer: 'project', skills: SKILLS })],
      listing: { style: 'tools' },
    })
    const session = openAdapterSession(repertoire)
    await session.step({ tools: ['Read'] })
    const call = { id: 'c1', tool: 'skill_careful', input: { args: 'x' } }
    const request = (await session.preview(call, { asks: true })).waits
    expect(request).toMatchObject({ skill: 'careful', args: 'x', callId: 'c1' })
    const denied = session.deniedText(call, 'not today')
    expect(denied).toContain('not today')
    session.answer({ requestId: request!.id, approved: false, reason: 'not today' })
    expect((await session.call(call, () => '')).text).toBe(denied)
    expect(session.state.active).toEqual([])
    expect((await session.preview({ id: 'c2', tool: 'skill_nobody', input: {} }, { asks: true })).waits).toBeUndefined()
  })

  it('[SHOW-4, CAT-5] refuses the tool of an invisible skill as it refuses an unknown tool', async () => {
    const session = await open({ listing: { style: 'tools' } })
    const texts = []
    for (const tool of ['skill_hidden', 'skill_nobody', 'skill_', 'activate_skill', 'skill_constructor']) {
      const outcome = await callIn(session, tool, { name: 'careful' })
      expect(outcome).toMatchObject({ ok: false, refusal: { code: 'TOOL_UNKNOWN' } })
      texts.push(outcome.text?.replace(tool, '…'))
      expect(session.toolName(tool)).toBeUndefined()
    }
    expect(new Set(texts).size).toBe(1)
    // The letters of a tool's name fold as ASCII only.
    expect(session.toolName('s\u212Aill_free')).toBeUndefined()
  })

  it('[SHOW-4, CAT-4] refuses a call that waited for its turn until its skill was gone', async () => {
    const skills: Record<string, Record<string, string>> = { careful: SKILLS['careful']!, free: SKILLS['free']! }
    const source = { scan: () => memorySource({ layer: 'project', skills }).scan() }
    const repertoire = await openRepertoire({
      sources: [{ id: 's', layer: 'project', ...source }],
      listing: { style: 'tools' },
    })
    const answer = Promise.withResolvers<boolean>()
    const session = openAdapterSession(repertoire, { consent: () => answer.promise })
    await session.step({ tools: ['Read'] })
    const first = session.call({ id: '1', tool: 'skill_careful', input: {} }, () => '')
    const second = session.call({ id: '2', tool: 'skill_free', input: {} }, () => '')
    delete skills['free']
    await repertoire.reload({ force: true })
    await session.step({ tools: ['Read'] })
    answer.resolve(true)
    expect(await first).toMatchObject({ ok: true })
    expect(await second).toMatchObject({ ok: false, refusal: { code: 'TOOL_UNKNOWN' } })
    expect(session.deniedText({ id: '3', tool: 'skill_free', input: {} })).toContain('SKILL_NOT_FOUND')
  })

  it('[SHOW-4] refuses a host whose tool has the name of a visible skill’s tool, and no other', async () => {
    const session = await open({ listing: { style: 'tools' } })
    await expect(session.step({ tools: ['Read', 'Skill_Careful'] })).rejects.toThrow(TypeError)
    await expect(session.step({ tools: ['Read', 'Skill_Careful'] })).rejects.toThrow('"Skill_Careful"')
    await session.step({ tools: ['skill_hidden', 'skill_other'] })
    expect(await session.call({ id: '1', tool: 'skill_hidden', input: {} }, () => 'ran')).toMatchObject({
      value: 'ran',
    })
    await (await open({ listing: { style: 'xml' } })).step({ tools: ['skill_careful'] })
  })

  it('[SHOW-4] refuses names of the skill tools that could be those of skills', async () => {
    const opened = open({ listing: { style: 'tools' }, skillToolNames: { readResource: 'Skill_read' } })
    await expect(opened).rejects.toThrow('begin with "skill_"')
    await expect(
      open({ listing: { style: 'xml' }, skillToolNames: { readResource: 'skill_read' } }),
    ).resolves.toBeDefined()
  })

  it('[SHOW-4, SHOW-7] still takes the tool of a skill for which the list has no room', async () => {
    const listingBudget = { share: 10 / 200_000 }
    const session = await open({ listing: { style: 'tools', budget: listingBudget } })
    const view = await session.step({ tools: ['Read'] })
    expect(view.skillTools).toEqual([])
    expect(view.cuts.dropped).toEqual(['careful', 'free', LONG])
    expect(view.instructions).toContain('Skills not among the tools, for lack of space: 3.')
    expect((await callIn(session, 'skill_free', {})).text).toContain('Be free.')
  })
})

describe('the style `matched`', () => {
  it('[SHOW-5] shows active skills first and then those that fit, in the order of their relevance', async () => {
    let fitting: readonly string[] = ['free', 'careful', 'hidden', 'nobody']
    const session = await open(
      { listing: { style: 'matched', search: 'never', guidance: 'full' }, catalog: { rank: () => fitting } },
      { turns: { match: {} } },
    )
    await session.beginTurn('First.')
    const headings = async (): Promise<readonly string[]> =>
      [...(await session.step({ tools: ['Read'] })).instructions.matchAll(/^## Skill: (.*)$/gm)].map(
        ([, name]) => name!,
      )
    expect(await headings()).toEqual(['free', 'careful'])
    await callIn(session, 'activate_skill', { name: 'careful' })
    expect(await headings()).toEqual(['careful', 'free'])
    fitting = []
    await session.beginTurn('Second.')
    expect(await headings()).toEqual(['careful'])
    const { instructions } = await session.step({ tools: ['Read'] })
    expect(instructions).not.toContain('Be careful.')
    expect(instructions).toContain('its instructions were returned when it was activated')
  })

  it('[SHOW-5] shows every visible skill where the host gives no matcher', async () => {
    const { instructions, tools } = await (await open({ listing: { style: 'matched' } })).step({ tools: ['Read'] })
    expect(instructions.match(/^## Skill: /gm)).toHaveLength(3)
    expect(tools.map(({ name }) => name)).toEqual(['activate_skill'])
  })

  it('[SHOW-5] activates a skill that does not fit by its name, and offers no empty enum where none fits', async () => {
    const session = await open({ listing: { style: 'matched', search: 'never' } }, { turns: { match: {} } })
    await session.beginTurn('Nothing of this kind.')
    const { instructions, tools } = await session.step({ tools: ['Read'] })
    expect(instructions).not.toContain('## Skill')
    expect(instructions).toContain('call activate_skill')
    expect(tools[0]!.inputSchema['properties']).not.toHaveProperty('name.enum')
    expect((await callIn(session, 'activate_skill', { name: 'free' })).text).toContain('Be free.')
  })
})

describe('every style', () => {
  it.each(STYLES)('[SHOW-6] guides with the real names of the tools in the style %s', async (style) => {
    const names = { activate: 'use_it', deactivate: 'leave_it', readResource: 'read_it' }
    const session = await open({ listing: { style, guidance: 'full' }, skillToolNames: names })
    const { instructions, tools } = await session.step({ tools: ['Bash', 'Read'] })
    for (const name of ['leave_it', 'read_it', 'Bash']) expect(instructions).toContain(`\`${name}\``)
    expect(instructions.includes('`use_it`')).toBe(style !== 'tools')
    expect(instructions.includes('`skill_`')).toBe(style === 'tools')
    expect(tools.some(({ name }) => name === 'use_it')).toBe(style !== 'tools')
    const unread = await callIn(session, 'read_it', { path: 'a.md' })
    expect(unread.text?.includes('use_it')).toBe(style !== 'tools')
  })

  it.each(STYLES)('[SHOW-1, CAT-5] shows nothing in the style %s where no skill is visible', async (style) => {
    const view = await (await open({ listing: { style } }, { skills: [] })).step({ tools: ['Read'] })
    expect(view).toMatchObject({ tools: [], skillTools: [], instructions: '', cuts: { dropped: [] } })
    expect(view.system(undefined)).toBeUndefined()
  })

  it.each(STYLES)(
    '[SHOW-7] says in the style %s what was cut, and activates by its name what is not listed',
    async (style) => {
      const session = await open({
        listing: { style, guidance: 'full', search: 'never', budget: { share: 24 / 200_000 } },
      })
      const view = await session.step({ tools: ['Read'] })
      const { shortened, withoutDescription, dropped, tokens, budget } = view.cuts
      expect([...shortened, ...withoutDescription, ...dropped].length).toBeGreaterThan(0)
      expect(budget).toBe(24)
      const listed = ['careful', 'free', LONG].filter((name) => !dropped.includes(name))
      if (listed.length > 0) expect(tokens).toBeLessThanOrEqual(24)
      expect(view.skillTools.map(({ name }) => name)).toEqual(style === 'tools' ? listed.map(nameOf) : [])
      // What is not listed can be activated by its name.
      const tool = style === 'tools' ? nameOf(LONG) : 'activate_skill'
      expect((await callIn(session, tool, { ...(style !== 'tools' && { name: LONG }) })).text).toContain('Be long.')
    },
  )

  it.each(STYLES)('[SHOW-7] shows in the style %s the same text at every step', async (style) => {
    const session = await open({ listing: { style } })
    const first = await session.step({ tools: ['Read'] })
    const { tools, instructions } = await session.step({ tools: ['Read'] })
    expect([tools, instructions]).toEqual([first.tools, first.instructions])
  })

  it('[SHOW-7] refuses an invalid budget before anything is scanned', async () => {
    const scanned: string[] = []
    const sources = [{ id: 's', layer: 'project' as const, scan: () => (scanned.push('s'), []) }]
    await expect(open({ sources, listing: { budget: { share: 7 } } })).rejects.toThrow('`listing.budget.share` is 7')
    await expect(open({ sources, listing: { style: foreign('yaml') } })).rejects.toThrow(
      '`listing.style` is "yaml". Give "lines", "xml", ',
    )
    expect(scanned).toEqual([])
  })
})
