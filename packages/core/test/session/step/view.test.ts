import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession } from '../../../src/adapter.ts'
import { type RepertoireOptions, memorySource, openRepertoire } from '../../../src/index.ts'

const skills = Object.fromEntries(
  ['careful', 'free'].map((name) => [
    name,
    { 'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\nallowed-tools: Read\n---\nBe ${name}.\n` },
  ]),
)

async function open(options: Partial<RepertoireOptions> = {}, session: AdapterSessionOptions = {}) {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })], ...options })
  return openAdapterSession(repertoire, { consent: () => true, ...session })
}

describe('what a step shows', () => {
  it.each(['lines', 'xml', 'section', 'tool', 'matched'] as const)(
    '[SHOW-2, SHOW-3] has the list of skills in one place, the prompt or the tool: %s',
    async (style) => {
      const view = await (await open({ listing: { style } })).step({ tools: ['Read', 'Bash'] })
      const [activate] = view.tools
      expect(activate!.name).toBe('activate_skill')
      if (style === 'tool') {
        expect(activate!.description).toMatch(
          /^Activates a skill\. .*\n\nAvailable skills:\n[^]*Is careful\.[^]*Is free\./,
        )
        expect(view.instructions).not.toContain('Is careful.')
      } else {
        expect(activate!.description).toMatch(/^Activates a skill\. .*$/)
        expect(view.instructions).toContain('Is careful.')
      }
      expect(view.skillTools).toEqual([])
      expect(view.instructions).toBe(view.instructions.trim())
      expect(view.instructions).not.toContain('\n\n\n')
    },
  )

  it('[NFR-6] has the same definitions as the step before, until a tool of the host changes what they say', async () => {
    const session = await open({ listing: { guidance: 'full' } })
    const first = await session.step({ tools: ['Read'] })
    const again = await session.step({ tools: ['Read'] })
    expect(again.tools.map((tool, index) => tool === first.tools[index])).toEqual(first.tools.map(() => true))
    expect(again.instructions).toBe(first.instructions)
    expect(first.instructions).not.toContain('`Bash`')
    expect((await session.step({ tools: ['Read', 'Bash'] })).instructions).toContain('`Bash`')
    // Also before anything is awaited.
    expect(session.view({ tools: ['Read'] }).instructions).toBe(first.instructions)
    const renamed = await open({ skillToolNames: { activate: 'use_skill' } })
    expect((await renamed.step({ tools: ['Read'] })).tools[0]?.name).toBe('use_skill')
  })

  it('[SHOW-4] has a tool for each skill beside those of active ones', async () => {
    const session = await open({ listing: { style: 'tools' } })
    await session.call({ id: 'c', tool: 'skill_free', input: {} }, () => '')
    const view = await session.step({ tools: ['Read'] })
    expect(view.tools.map(({ name }) => name)).toEqual([
      'skill_careful',
      'skill_free',
      'deactivate_skill',
      'read_skill_resource',
    ])
    expect(view.skillTools.map(({ name }) => name)).toEqual(['skill_careful', 'skill_free'])
    expect(view.instructions).not.toContain('activate_skill')
  })

  it('[SHOW-1] puts its instructions behind what the host says, and nothing if there are none', async () => {
    const view = await (await open()).step({ tools: [] })
    expect(view.system('Mine.')).toBe(`Mine.\n\n${view.instructions}`)
    expect(view.system(undefined)).toBe(view.instructions)
    const none = await (await open({ sources: [] })).step({ tools: [] })
    expect(none).toMatchObject({ tools: [], skillTools: [], instructions: '' })
    expect(none.system('Mine.')).toBe('Mine.')
    expect(none.system(undefined)).toBeUndefined()
  })

  it('[CAT-5] of a skill that is active without being visible has the tools to use and to leave it', async () => {
    const first = await open()
    await first.call({ id: 'c', tool: 'activate_skill', input: { name: 'careful' } }, () => '')
    const session = await open({ sources: [] }, { saved: first.save() })
    const view = await session.step({ tools: ['Read', 'Bash'] })
    expect(view.tools.map(({ name }) => name)).toEqual(['deactivate_skill', 'read_skill_resource'])
    expect(view).toMatchObject({ instructions: '', skillTools: [] })
    expect([view.isHidden('Bash'), view.isHidden('Read')]).toEqual([true, false])
  })

  it('[SHOW-5] lists what fits once, and each active one by its name alone if it is not visible', async () => {
    const catalog = { rank: () => ['free', 'none', 'free'] }
    const session = await open({ listing: { style: 'matched' }, catalog }, { turns: { match: {} } })
    await session.beginTurn('Hello')
    const { instructions } = await session.step({ tools: [] })
    expect(instructions.match(/Is free\./g)).toHaveLength(1)
    expect(instructions).not.toContain('Is careful.')
  })

  it('[SHOW-6] guides to the shell only if there is one', async () => {
    const guidance = 'full'
    const bare = (await (await open({ listing: { guidance } })).step({ tools: ['Read'] })).instructions
    const shell = (await (await open({ listing: { guidance } })).step({ tools: ['Read', 'Bash'] })).instructions
    expect(bare).not.toContain('Bash')
    expect(shell).toContain('Bash')
  })
})
