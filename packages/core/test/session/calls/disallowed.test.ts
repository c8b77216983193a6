import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { openAdapterSession, type AdapterSession } from '../../../src/adapter.ts'
import { type ConsentRequest, memorySource, openRepertoire } from '../../../src/index.ts'

const HOST = ['Bash', 'Read', 'Write']

const skills = {
  careful: { 'SKILL.md': skillText('careful', 'disallowed-tools: Write, Bash(git push:*)') },
  generous: { 'SKILL.md': skillText('generous', 'allowed-tools: Bash Write Read') },
  broken: { 'SKILL.md': skillText('broken', 'disallowed-tools: Bash(git push:*') },
  empty: { 'SKILL.md': skillText('empty', 'disallowed-tools: []') },
}

function skillText(name: string, field: string): string {
  return `---\nname: ${name}\ndescription: The skill ${name}.\n${field}\n---\nBody of ${name}.\n`
}

const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })

function open(asked: ConsentRequest[] = []): AdapterSession {
  const consent = (request: ConsentRequest): boolean => asked.push(request) > 0
  return openAdapterSession(repertoire, { id: 'task', consent, hostTools: HOST })
}

let calls = 0
async function call(session: AdapterSession, tool: string, input: unknown): Promise<string> {
  const view = await session.step({ tools: HOST })
  let ran = false
  const outcome = await session.call({ id: `c${calls++}`, tool, input }, () => {
    ran = true
    return 'done'
  })
  expect(ran).toBe(outcome.ok && HOST.includes(tool))
  const hidden = HOST.filter((name) => view.isHidden(name))
  return `${outcome.ok ? 'ok' : outcome.refusal.code}${hidden.length > 0 ? `, hidden: ${hidden.join(' ')}` : ''}`
}

const activate = (session: AdapterSession, name: string) => call(session, 'activate_skill', { name })

describe('disallowed-tools', () => {
  it('[MAN-7] is enforced from the step after the activation, and lifted with it', async () => {
    const session = open()
    expect(await call(session, 'Write', { file_path: 'a' })).toBe('ok')
    expect(await activate(session, 'careful')).toBe('ok')
    expect(await call(session, 'Write', { file_path: 'a' })).toBe('TOOL_NOT_ALLOWED, hidden: Write')
    expect(await call(session, 'Bash', { command: 'git push' })).toBe('TOOL_NOT_ALLOWED, hidden: Write')
    expect(await call(session, 'Bash', { command: 'ls && ls' })).toBe('ok, hidden: Write')
    expect(await call(session, 'Bash', { command: 'git log' })).toBe('ok, hidden: Write')
    expect(await call(session, 'deactivate_skill', {})).toBe('ok, hidden: Write')
    expect(await call(session, 'Write', { file_path: 'a' })).toBe('ok')
  })

  it('[MAN-7] holds whatever a skill above or below it allows', async () => {
    for (const order of [
      ['careful', 'generous'],
      ['generous', 'careful'],
    ]) {
      const session = open()
      for (const name of order) await activate(session, name)
      expect(await call(session, 'Write', { file_path: 'a' })).toBe('TOOL_NOT_ALLOWED, hidden: Write')
      expect(await call(session, 'Bash', { command: 'git push' })).toBe('TOOL_NOT_ALLOWED, hidden: Write')
      expect(await call(session, 'Read', { file_path: 'a' })).toBe('ok, hidden: Write')
    }
  })

  it('[MAN-7] tells the model which skill takes what away', async () => {
    const session = open()
    await activate(session, 'careful')
    const outcome = await session.call({ id: 'x', tool: 'Write', input: { file_path: 'a' } }, () => 'done')
    expect(outcome).toMatchObject({
      ok: false,
      refusal: {
        code: 'TOOL_NOT_ALLOWED',
        reason: '"Write" may not be used while the skill "careful" is active: it disallows Write.',
      },
    })
    expect('refusal' in outcome && outcome.refusal.allowedTools).toBeUndefined()
  })

  it('[MAN-7] is shown in the consent request', async () => {
    const asked: ConsentRequest[] = []
    const session = open(asked)
    await activate(session, 'careful')
    await activate(session, 'generous')
    expect(asked[0]).toMatchObject({ disallowedTools: ['Write', 'Bash(git push:*)'] })
    expect(asked[0]?.text).toContain('\n  but not:       Write, "Bash(git push:*)"\n')
    expect(asked[1]!.disallowedTools).toBeUndefined()
    expect(asked[1]?.text).not.toContain('but not')
  })

  it('[MAN-7] is kept with a saved session', async () => {
    const session = open()
    await activate(session, 'careful')
    const saved = JSON.parse(JSON.stringify(session.save())) as ReturnType<typeof session.save>
    const resumed = openAdapterSession(repertoire, { saved, hostTools: HOST })
    expect(await call(resumed, 'Write', { file_path: 'a' })).toBe('TOOL_NOT_ALLOWED, hidden: Write')
  })

  it('[MAN-7] of a saved session is refused where it is not a list of rules', async () => {
    const session = open()
    await activate(session, 'careful')
    const { state, seal } = session.save()
    for (const denied of [null, 'Bash', [7], [{ tool: 7 }]]) {
      const saved = foreign({ seal, state: { ...state, active: [{ ...state.active[0], denied }] } })
      expect(() => openAdapterSession(repertoire, { saved })).toThrow(
        expect.objectContaining({ code: 'STATE_INVALID' }) as Error,
      )
    }
  })

  it('[MAN-7] without a rule takes nothing away', async () => {
    const session = open()
    await activate(session, 'empty')
    expect(await call(session, 'Write', { file_path: 'a' })).toBe('ok')
    expect(await call(session, 'Read', { file_path: 'a' })).toBe('ok')
    expect(await call(session, 'Bash', { command: 'git push' })).toBe('ok')
  })

  it('[MAN-7, ABUSE-33] that is malformed keeps the skill out of the catalog', () => {
    expect(repertoire.catalog.has('broken')).toBe(false)
    expect(repertoire.catalog.diagnostics).toMatchObject([{ code: 'DISALLOWED_TOOLS_INVALID', severity: 'error' }])
  })
})
