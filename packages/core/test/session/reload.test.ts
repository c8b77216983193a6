import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type AdapterSessionOptions,
  adapterSession,
  openAdapterSession,
  type AdapterSession,
} from '../../src/adapter.ts'
import { type ConsentRequest, type Outcome, type Repertoire, openRepertoire } from '../../src/index.ts'
import { directorySource } from '../../src/node/index.ts'
import { refusal } from './outcome.ts'

let base: string
let repertoire: Repertoire
let asked: ConsentRequest[]

const manifest = (name: string, fields = 'allowed-tools: Read\n', description = 'One.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\nBody of ${name}.\n`

const write = (path: string, text: string): void => {
  const file = join(base, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const sources = () => [
  directorySource({ root: join(base, 'high'), layer: 'enterprise', id: 'high' }),
  directorySource({ root: join(base, 'low'), layer: 'project', id: 'low' }),
]

beforeEach(async () => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-reload-'))
  asked = []
  write('low/pdf/SKILL.md', manifest('pdf'))
  write('low/pdf/references/a.md', 'agreed to\n')
  write('low/pdf/references/b.md', 'agreed to as well\n')
  repertoire = await openRepertoire({ sources: sources() })
})

afterEach(() => rmSync(base, { recursive: true, force: true }))

const consent = (request: ConsentRequest): boolean => {
  asked.push(request)
  return true
}
const openSession = (options: AdapterSessionOptions = {}): AdapterSession =>
  openAdapterSession(repertoire, { consent, ...options })
const reload = () => repertoire.reload({ force: true })

let calls = 0
const call = (session: AdapterSession, tool: string, input: unknown): Promise<Outcome> =>
  session.call({ id: `call-${calls++}`, tool, input }, () => 'ran')
const step = async (session: AdapterSession, tool: string, input: unknown): Promise<Outcome> => {
  await session.step({ tools: ['Read', 'Bash'] })
  return call(session, tool, input)
}
const activate = (session: AdapterSession, name = 'pdf') => step(session, 'activate_skill', { name })
const read = (session: AdapterSession, path = 'references/a.md') => step(session, 'read_skill_resource', { path })

describe('a session over a reload', () => {
  it('[SHOW-3] lists what is current at every model call', async () => {
    const session = adapterSession(openSession())
    const shown = async (): Promise<string> => (await session.step({ tools: [] })).instructions
    expect(await shown()).toContain('- pdf: One.')
    write('low/pdf/SKILL.md', manifest('pdf', '', 'Two.'))
    write('low/xlsx/SKILL.md', manifest('xlsx'))
    expect(await shown()).not.toContain('xlsx')
    await reload()
    expect(await shown()).toContain('- pdf: Two.')
    expect(await shown()).toContain('xlsx')
    rmSync(join(base, 'low/pdf'), { recursive: true })
    rmSync(join(base, 'low/xlsx'), { recursive: true })
    await reload()
    expect(await shown()).toBe('')
  })

  it('[ACT-3, CAT-4] activates what the file holds now, while the list stays until a reload', async () => {
    const session = adapterSession(openSession())
    const shown = async (): Promise<string> => (await session.step({ tools: [] })).instructions
    expect(await shown()).toContain('- pdf: One.')
    write('low/pdf/SKILL.md', manifest('pdf', '', 'Two.'))
    expect(await activate(session)).toMatchObject({ ok: true, value: { description: 'Two.' } })
    expect(await shown()).toContain('- pdf: One.')
    await reload()
    expect(await shown()).toContain('- pdf: Two.')
  })

  it('[SHOW-3, ABUSE-107] looks for what a message calls in the catalog as it is by then', async () => {
    const session = adapterSession(openSession())
    await session.step({ tools: [] })
    write('low/xlsx/SKILL.md', manifest('xlsx'))
    rmSync(join(base, 'low/pdf'), { recursive: true })
    await reload()
    expect(await call(session, 'activate_skill', { name: 'pdf' })).toMatchObject(refusal('SKILL_NOT_FOUND', /pdf/))
    expect(await call(session, 'activate_skill', { name: 'xlsx' })).toMatchObject({ ok: true })
  })

  it('[SHOW-4] leaves a tool to the host whose name a new skill takes, and tells the host in the next step', async () => {
    repertoire = await openRepertoire({ sources: sources(), listing: { style: 'tools' } })
    const session = adapterSession(openSession())
    await session.step({ tools: ['Skill_xlsx'] })
    write('low/xlsx/SKILL.md', manifest('xlsx'))
    await reload()
    expect(await call(session, 'skill_xlsx', {})).toMatchObject({ ok: true, value: 'ran' })
    expect(session.toolName('skill_xlsx')).toBe('Skill_xlsx')
    expect(session.state.active).toEqual([])
    await expect(session.step({ tools: ['Skill_xlsx'] })).rejects.toThrow('"Skill_xlsx"')
  })

  it('[ABUSE-109] a reload that widens allowed-tools frees nothing, and the next activation asks again', async () => {
    const session = adapterSession(openSession())
    await activate(session)
    expect(asked).toHaveLength(1)
    write('low/pdf/SKILL.md', manifest('pdf', 'allowed-tools: Read Bash\n'))
    await reload()
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject(refusal('TOOL_NOT_ALLOWED', /Bash/))
    expect(await activate(session)).toMatchObject({
      ok: true,
      text: expect.stringContaining('already active') as string,
    })
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject({ ok: false })
    await step(session, 'deactivate_skill', {})
    expect(await activate(session)).toMatchObject({ ok: true })
    expect(asked.map(({ allowedTools }) => allowedTools)).toEqual([['Read'], ['Read', 'Bash']])
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject({ ok: true })
  })

  it('[ABUSE-107] a skill that is deleted while it is active holds its rules, and can be left', async () => {
    const session = adapterSession(openSession())
    await activate(session)
    rmSync(join(base, 'low/pdf'), { recursive: true })
    await reload()
    const { tools } = await session.step({ tools: ['Read', 'Bash'] })
    expect(tools.map(({ name }) => name)).toEqual(['deactivate_skill', 'read_skill_resource'])
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject(refusal('TOOL_NOT_ALLOWED', /Bash/))
    expect(await read(session)).toMatchObject(refusal('RESOURCE_NOT_FOUND', /./))
    expect(await step(session, 'deactivate_skill', { name: 'pdf' })).toMatchObject({ ok: true })
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject({ ok: true })
  })

  it('[ABUSE-107] a file that changed since the activation is not read, and the others are', async () => {
    const session = adapterSession(openSession())
    await activate(session)
    expect(await read(session)).toMatchObject({ ok: true, value: { text: 'agreed to\n' } })
    write('low/pdf/references/a.md', 'something else\n')
    const changed = /"references\/a\.md".*has changed since.*Deactivate "pdf" and activate it again/
    expect(await read(session)).toMatchObject(refusal('RESOURCE_REFUSED', changed))
    expect(await read(session, 'references/b.md')).toMatchObject({ ok: true })
    expect(await read(session, './references/b.md')).toMatchObject({ ok: true })
    rmSync(join(base, 'low/pdf/references/b.md'))
    expect(await read(session, 'references/b.md')).toMatchObject(refusal('RESOURCE_NOT_FOUND', /b\.md/))
    write('low/pdf/references/new.md', 'new\n')
    expect(await read(session, 'references/new.md')).toMatchObject(refusal('RESOURCE_REFUSED', /was not among/))
    await step(session, 'deactivate_skill', {})
    await activate(session)
    expect(asked).toHaveLength(2)
    expect(await read(session)).toMatchObject({ ok: true, value: { text: 'something else\n' } })
    expect(await read(session, 'references/new.md')).toMatchObject({ ok: true })
  })

  it('[ABUSE-107] another skill of the name never stands in for the one that is active', async () => {
    const session = adapterSession(openSession())
    await activate(session)
    write('high/pdf/SKILL.md', manifest('pdf', ''))
    write('high/pdf/references/a.md', 'of another skill\n')
    await reload()
    expect(repertoire.catalog.get('pdf').source).toBe('high')
    expect(await read(session)).toMatchObject({ ok: true, value: { text: 'agreed to\n' } })
    expect(await step(session, 'Bash', { command: 'ls' })).toMatchObject({ ok: false })
  })

  it('[ABUSE-107] the folder that was agreed to is read when a reload has dropped its skill', async () => {
    const session = adapterSession(openSession())
    await activate(session)
    write('low/pdf/SKILL.md', manifest('pdf', 'status: disabled\n'))
    expect(await reload()).toMatchObject({ kept: [] })
    expect(await read(session)).toMatchObject({ ok: true, value: { text: 'agreed to\n' } })
    expect(await read(session, 'SKILL.md')).toMatchObject(refusal('RESOURCE_REFUSED', /has changed/))
  })

  it('[ABUSE-107] a folder that is swapped for another is not read', async () => {
    const session = adapterSession(openSession())
    await activate(session)
    write('other/references/a.md', 'of another folder\n')
    renameSync(join(base, 'low/pdf'), join(base, 'away'))
    renameSync(join(base, 'other'), join(base, 'low/pdf'))
    await reload()
    expect(await read(session)).toMatchObject(refusal('RESOURCE_REFUSED', /has changed/))
  })

  it('[ABUSE-106] a skill that is kept is listed and not activated', async () => {
    const session = adapterSession(openSession())
    write('low/pdf/SKILL.md', '---\nname: pdf\n')
    expect((await reload()).kept).toEqual(['pdf'])
    expect((await session.step({ tools: [] })).instructions).toContain('pdf')
    expect(await activate(session)).toMatchObject(refusal('SKILL_BROKEN', /was not activated/))
    expect(asked).toEqual([])
  })
})

describe('a session that goes on in another process', () => {
  const resumed = async (session: AdapterSession): Promise<AdapterSession> => {
    repertoire = await openRepertoire({ sources: sources() })
    return adapterSession(openSession({ saved: session.save() }))
  }

  it('[ABUSE-107] reads the folder that is as it was', async () => {
    const first = adapterSession(openSession())
    await activate(first)
    const session = await resumed(first)
    expect(await read(session)).toMatchObject({ ok: true, value: { text: 'agreed to\n' } })
    // From then on it knows what each file held.
    write('low/pdf/references/a.md', 'something else\n')
    expect(await read(session)).toMatchObject(refusal('RESOURCE_REFUSED', /has changed/))
    expect(await read(session, 'references/b.md')).toMatchObject({ ok: true })
  })

  it('[ABUSE-107] reads nothing of a folder that changed meanwhile', async () => {
    const first = adapterSession(openSession())
    await activate(first)
    write('low/pdf/references/b.md', 'something else\n')
    const session = await resumed(first)
    expect(await read(session)).toMatchObject(refusal('RESOURCE_REFUSED', /The folder of the skill "pdf" has changed/))
    expect(await step(session, 'deactivate_skill', {})).toMatchObject({ ok: true })
  })

  it('[ABUSE-107] reads the folder also where another skill has its name by now', async () => {
    const first = adapterSession(openSession())
    await activate(first)
    write('high/pdf/SKILL.md', manifest('pdf', ''))
    write('high/pdf/references/a.md', 'of another skill\n')
    const session = await resumed(first)
    expect(await read(session)).toMatchObject({ ok: true, value: { text: 'agreed to\n' } })
  })

  it('[ABUSE-107] finds nothing where the skill is gone', async () => {
    const first = adapterSession(openSession())
    await activate(first)
    rmSync(join(base, 'low/pdf'), { recursive: true })
    const session = await resumed(first)
    expect(await read(session)).toMatchObject(refusal('RESOURCE_NOT_FOUND', /has no file "references\/a\.md"/))
  })
})
