import { describe, expect, it } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import {
  estimateTokens,
  type ListingStyle,
  type RepertoireOptions,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { RESULT, runner } from '../../execution/foreign-runner.ts'

const skills = {
  pdf: {
    'SKILL.md': '---\nname: pdf\ndescription: Reads "PDF" files.\nallowed-tools: Read\n---\nBody.\n',
    'scripts/sum.py': 'print(1)\n',
  },
}

async function open(options: Partial<RepertoireOptions> = {}): Promise<AdapterSession> {
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })], ...options })
  return openAdapterSession(repertoire, { consent: () => true })
}

const activate = (session: AdapterSession) =>
  session.call({ id: '1', tool: 'activate_skill', input: { name: 'pdf' } }, () => undefined)

describe('what skills cost in context', () => {
  it('[NFR-7] has the tools that only an active skill needs while one is active', async () => {
    const session = await open()
    const names = async (): Promise<readonly string[]> =>
      (await session.step({ tools: ['Read'] })).tools.map(({ name }) => name)
    expect(await names()).toEqual(['activate_skill'])
    await activate(session)
    expect(await names()).toEqual(['activate_skill', 'deactivate_skill', 'read_skill_resource'])
    await session.call({ id: '2', tool: 'deactivate_skill', input: {} }, () => undefined)
    expect(await names()).toEqual(['activate_skill'])
  })

  it('[NFR-7] shows the same tools and the same prompt at every step with `stableTools`, and refuses calls as before', async () => {
    const session = await open({ listing: { stableTools: true }, scripts: { runner: runner(() => RESULT) } })
    const hostTools = ['Read', 'Write']
    const shown = async () => {
      const view = await session.step({ tools: hostTools })
      const { tools, instructions } = view
      return { tools, instructions, hidden: hostTools.filter((tool) => view.isHidden(tool)) }
    }
    const before = await shown()
    expect(before.tools.map(({ name }) => name)).toEqual([
      'activate_skill',
      'deactivate_skill',
      'read_skill_resource',
      'run_skill_script',
    ])
    await activate(session)
    expect(await shown()).toEqual(before)
    expect(before.hidden).toEqual([])
    const refused = await session.call({ id: '2', tool: 'Write', input: {} }, () => 'written')
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'TOOL_NOT_ALLOWED' } })
  })

  it('[NFR-7, SHOW-1, SHOW-2] lists the path of a SKILL.md in the styles that have it, whatever tools the host has', async () => {
    const listed = async (style?: ListingStyle): Promise<string> =>
      (await (await open({ listing: { style } })).step({ tools: ['Read', 'Bash'] })).instructions
    expect(await listed()).toMatch(/\n- pdf: Reads "PDF" files\.$/)
    expect(await listed('xml')).toMatch(/<skill name="pdf" location="[^"]+SKILL\.md">Reads "PDF" files\.<\/skill>/)
    expect(await listed('section')).toMatch(/\n- pdf: Reads "PDF" files\. \([^)]+SKILL\.md\)/)
  })

  it('[NFR-7] takes for the list of ten skills no more than the cheapest of other systems, and for each further one', async () => {
    const description =
      'Writes release notes from commits and groups them by area. Use it before every release of a package.'
    const listOf = async (count: number): Promise<string> => {
      const names = Array.from({ length: count }, (_, index) => `release-notes-${String(index).padStart(2, '0')}`)
      const many = Object.fromEntries(
        names.map((name) => [name, { 'SKILL.md': `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n` }]),
      )
      const session = await open({ sources: [memorySource({ layer: 'project', skills: many })] })
      return (await session.step({ tools: ['lookup'] })).instructions
    }
    const [ten, twenty] = [estimateTokens(await listOf(10)), estimateTokens(await listOf(20))]
    expect(ten).toBeLessThanOrEqual(286)
    expect(twenty - ten).toBeLessThanOrEqual(270)
  })

  it.each(['restrict', 'preapprove', 'advisory'] as const)(
    '[NFR-7, ASK-7, SHOW-9] has an activation tool of at most 55 tokens that says what it means in the mode %s, and is never only announced',
    async (enforcement) => {
      const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
      const [tool] = (await openAdapterSession(repertoire, { enforcement }).step({ tools: [] })).tools
      const { name, description, inputSchema } = tool!
      expect(estimateTokens(JSON.stringify({ name, description, inputSchema }))).toBeLessThanOrEqual(55)
      const meaning = { restrict: 'may limit', preapprove: 'may preapprove', advisory: 'may recommend' }[enforcement]
      expect(description).toBe(
        `Activates a skill. Never only announce it. It ${meaning} ${enforcement === 'restrict' ? 'your ' : ''}tools.`,
      )
    },
  )

  it('[NFR-7] names skills once: no schema has them again', async () => {
    for (const guidance of ['short', 'full'] as const) {
      const { tools } = await (await open({ listing: { guidance } })).step({ tools: [] })
      expect(JSON.stringify(tools)).not.toContain('pdf')
    }
  })
})
