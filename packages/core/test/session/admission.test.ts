import { describe, expect, it } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession } from '../../src/adapter.ts'
import { type ConsentRequest, type RepertoireOptions, type SkillSource, memorySource } from '../../src/index.ts'
import { activeNames, refusal } from './outcome.ts'
import { activate, open, skillText, step } from './session-world.ts'
import { mapped } from '../mapped-source.ts'

/** A source whose one skill changes. */
function changing(fields: string): { source: SkillSource; set: (fields: string) => void } {
  let now = fields
  const source: SkillSource = {
    id: 'own',
    layer: 'project',
    scan: () =>
      mapped(
        memorySource({
          layer: 'project',
          skills: { pdf: { 'SKILL.md': skillText('pdf', now), 'references/a.md': 'A' } },
        }),
        (found) => ({
          ...found,
          folder: {
            ...found.folder,
            readManifest: () => Promise.resolve(new TextEncoder().encode(skillText('pdf', now))),
          },
        }),
      ),
  }
  return { source, set: (next) => void (now = next) }
}

const opened = (
  admit: RepertoireOptions['admit'],
  session: AdapterSessionOptions = {},
  more: Partial<RepertoireOptions> = {},
) => open(session, { admit, ...more })

describe('[DISC-14] a session of a host that admits', () => {
  it('restricts a skill without allowed-tools to what the host gives it, and says so', async () => {
    const { session } = await opened({ tools: ['Read', 'Grep'] })
    const activated = await activate(session, 'free')
    expect(activated).toMatchObject({ ok: true, value: { allowedTools: ['Read', 'Grep'] } })
    expect(await step(session, 'Read', { file_path: 'a' })).toMatchObject({ ok: true, ran: { tool: 'Read' } })
    const refused = await step(session, 'Bash', { command: 'ls' })
    expect(refused).toMatchObject({ refusal: { code: 'TOOL_NOT_ALLOWED', allowedTools: ['Read', 'Grep'] } })
    expect(refused).toMatchObject({
      text: expect.stringContaining('is active: it names no tools, and the host then allows only Read, Grep'),
    })
    expect((await session.step({ tools: ['Bash', 'Read'] })).isHidden('Bash')).toBe(true)
  })

  it('gives it nothing but the skill tools where the host says so', async () => {
    const { session } = await opened({ withoutAllowedTools: 'nothing' })
    expect(await activate(session, 'free')).toMatchObject({ ok: true, value: { allowedTools: [] } })
    expect(await step(session, 'Read', {})).toMatchObject(refusal('TOOL_NOT_ALLOWED', /./))
    expect(await step(session, 'deactivate_skill', { name: 'free' })).toMatchObject({ ok: true })
    expect(await step(session, 'Read', {})).toMatchObject({ ok: true })
  })

  it('shows it in the request for consent', async () => {
    const asked: ConsentRequest[] = []
    const consent = (request: ConsentRequest): boolean => asked.push(request) > 0
    const { session } = await opened({ tools: ['Read', 'Write', 'Bash'], withoutAllowedTools: ['Read'] }, { consent })
    await activate(session, 'free')
    await step(session, 'deactivate_skill', { name: 'free' })
    await activate(session, 'editor')
    expect(asked.map(({ allowedTools, assumedTools }) => [allowedTools, assumedTools])).toEqual([
      [['Read'], true],
      [['Read', 'Write(docs/**)'], false],
    ])
    expect(asked[0]!.text).toContain('tools:         Read (the skill names none: the host gives it these)')
    expect(asked[1]!.text).not.toContain('the host gives')
  })

  it('never preapproves a call by it', async () => {
    const { session } = await opened({ tools: ['Read', 'Write', 'Bash'] }, { enforcement: 'preapprove' })
    await activate(session, 'free')
    await session.step({ tools: ['Read', 'Bash'] })
    expect((await session.preview({ id: 'a', tool: 'Read', input: { file_path: 'a' } })).preapproved).toBe(false)
    await activate(session, 'editor')
    expect((await session.preview({ id: 'b', tool: 'Read', input: { file_path: 'a' } })).preapproved).toBe(true)
  })

  it('keeps it over a save', async () => {
    const { session, repertoire } = await opened({ tools: ['Read'] })
    await activate(session, 'free')
    const resumed = openAdapterSession(repertoire, {
      saved: JSON.parse(JSON.stringify(session.save())),
      hostTools: ['Bash'],
    })
    expect(resumed.state.active[0]).toMatchObject({ name: 'free', rules: [{ tool: 'Read' }], assumed: true })
    expect(await step(resumed, 'Bash', { command: 'ls' })).toMatchObject(refusal('TOOL_NOT_ALLOWED', /./))
  })

  it('refuses at the activation what was widened since the last reload, and asks nobody', async () => {
    const { source, set } = changing('allowed-tools: Read\n')
    let asked = 0
    const { session } = await opened({ tools: ['Read'] }, { consent: () => ++asked > 0 }, { sources: [source] })
    set('allowed-tools: Read Bash\n')
    expect(await activate(session, 'pdf')).toMatchObject(refusal('SKILL_NOT_ADMITTED', /It asks for Bash/))
    expect(asked).toBe(0)
    expect(activeNames(session)).toEqual([])
  })

  it('takes a widened skill out of the list at the reload; while active, its restrictions hold until it is deactivated', async () => {
    const { source, set } = changing('allowed-tools: Read\n')
    const { session, repertoire } = await opened({ tools: ['Read'] }, {}, { sources: [source] })
    await activate(session, 'pdf')
    set('allowed-tools: Read Bash\n')
    await repertoire.reload({ force: true })
    expect((await session.step({ tools: ['Bash'] })).instructions).not.toContain('The skill pdf.')
    expect(activeNames(session)).toEqual(['pdf'])
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject(refusal('TOOL_NOT_ALLOWED', /./))
    expect(await step(session, 'read_skill_resource', { path: 'references/a.md' })).toMatchObject({ ok: true })
    expect(await step(session, 'deactivate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject({ ok: true })
    expect(await activate(session, 'pdf')).toMatchObject(refusal('TOOL_UNKNOWN', /./))
  })

  it('refuses a script that was added since the last reload', async () => {
    const files: Record<string, string> = { 'SKILL.md': skillText('pdf') }
    const source: SkillSource = {
      id: 'own',
      layer: 'project',
      scan: () =>
        mapped(memorySource({ layer: 'project', skills: { pdf: files } }), (found) => ({
          ...found,
          folder: {
            ...found.folder,
            list: () =>
              Promise.resolve({
                files: Object.keys(files).map((path) => ({ path, size: 1, executable: false })),
                truncated: false,
                refused: [],
                withheld: { files: [], truncated: false, refused: [] },
              }),
          },
        })),
    }
    const { session } = await opened({ scripts: false }, {}, { sources: [source] })
    files['scripts/run.sh'] = 'id'
    expect(await activate(session, 'pdf')).toMatchObject(refusal('SKILL_NOT_ADMITTED', /It holds scripts.run\.sh/))
  })
})
