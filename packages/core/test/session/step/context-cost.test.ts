import { describe, expect, it } from 'vitest'
import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { type RepertoireOptions, memorySource, openRepertoire } from '../../../src/index.ts'
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

  it('[NFR-7, SHOW-1] lists the path of a SKILL.md only where a tool of the host could open it', async () => {
    const session = await open()
    const listed = async (...tools: readonly string[]): Promise<string> => (await session.step({ tools })).instructions
    expect(await listed('sendMail')).toContain('<skill name="pdf">Reads "PDF" files.</skill>')
    for (const tool of ['Read', 'Bash', 'read_file', 'run_command']) {
      expect(await listed('sendMail', tool)).toMatch(/<skill name="pdf" location="[^"]+SKILL\.md">/)
    }
  })

  it('[NFR-7] names skills once: only the full guidance has a choice of names in a schema', async () => {
    const namesIn = async (session: AdapterSession): Promise<unknown> =>
      (await session.step({ tools: [] })).tools[0]?.inputSchema['properties']
    expect(JSON.stringify(await namesIn(await open()))).not.toContain('pdf')
    expect(await namesIn(await open({ listing: { guidance: 'full' } }))).toMatchObject({ name: { enum: ['pdf'] } })
  })
})
