import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { openAdapterSession } from '../../../src/adapter.ts'
import {
  memorySource,
  openRepertoire,
  type Repertoire,
  type SessionOptions,
  type SessionProblem,
} from '../../../src/index.ts'
import { openSkills } from '../../../src/node/index.ts'
import { failingScan } from '../../mapped-source.ts'

const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
afterEach(() => emitWarning.mockClear())

const GOOD = '---\nname: greet\ndescription: Greets.\n---\nSay hello.\n'
const UNCLOSED = '---\nname: mail\ndescription: [Mails\n---\nSend it.\n'

/** A folder of skills on the disk, each with its SKILL.md. */
function skillsFolder(skills: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-broken-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(skills)) write(root, name, text)
  return root
}

function write(root: string, name: string, text: string): void {
  mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, name, 'SKILL.md'), text)
}

/** What the first step of a new session reports. */
async function problemsOf(repertoire: Repertoire, session: SessionOptions = {}): Promise<readonly SessionProblem[]> {
  const problems: SessionProblem[] = []
  await openAdapterSession(repertoire, { onProblem: (each) => problems.push(each), ...session }).step({
    tools: ['Read'],
  })
  return problems
}

const warnings = (): readonly unknown[] => emitWarning.mock.calls.map(([message]) => message)

it('[FRONT-5] a broken skill among good ones is one warning of the process, with its file and the fault', async () => {
  const root = skillsFolder({ greet: GOOD, mail: UNCLOSED })
  const repertoire = await openSkills(root)
  for (const id of ['one', 'two']) await openAdapterSession(repertoire, { id }).step({ tools: ['Read'] })
  expect(emitWarning.mock.calls).toEqual([
    [
      expect.stringMatching(/^The skill "mail" was not loaded\. /),
      expect.objectContaining({ type: 'RepertoireWarning', code: 'SKILL_NOT_LOADED' }),
    ],
  ])
  const [message] = warnings()
  expect(message).toContain(`${join(root, 'mail', 'SKILL.md')}:4: The frontmatter is not valid YAML`)
})

it('[FRONT-5] every broken file has its own warning', async () => {
  const root = skillsFolder({ greet: GOOD, mail: UNCLOSED, post: 'No frontmatter.\n' })
  await openAdapterSession(await openSkills(root)).step({ tools: ['Read'] })
  expect(warnings()).toEqual([expect.stringContaining('skill "mail"'), expect.stringContaining('skill "post"')])
})

it('[FRONT-5] `onProblem` hears of each file once in a repertoire, and the process is not warned', async () => {
  const root = skillsFolder({ greet: GOOD, mail: UNCLOSED })
  const repertoire = await openSkills(root)
  expect(await problemsOf(repertoire)).toEqual([
    {
      code: 'SKILL_NOT_LOADED',
      skill: 'mail',
      path: join(root, 'mail', 'SKILL.md'),
      message: expect.stringContaining('The skill "mail" was not loaded'),
    },
  ])
  expect(await problemsOf(repertoire)).toEqual([])
  expect(emitWarning).not.toHaveBeenCalled()
})

it('[FRONT-5] a skill that breaks is reported after the reload, and again if it breaks once more', async () => {
  const root = skillsFolder({ greet: GOOD, mail: UNCLOSED.replace('[', '') })
  const repertoire = await openSkills(root)
  const reloaded = async (text: string): Promise<readonly SessionProblem[]> => {
    write(root, 'mail', text)
    await repertoire.reload({ force: true })
    return await problemsOf(repertoire)
  }
  expect(await problemsOf(repertoire)).toEqual([])
  const broken = { code: 'SKILL_NOT_LOADED', message: expect.stringContaining('The skill "mail" was not loaded') }
  expect(await reloaded(UNCLOSED)).toMatchObject([broken])
  expect(await reloaded(UNCLOSED)).toEqual([])
  expect(await reloaded(UNCLOSED.replace('[', ''))).toEqual([])
  expect(await reloaded(UNCLOSED)).toMatchObject([broken])
})

it('[FRONT-5] a broken skill that is new after a reload is reported', async () => {
  const root = skillsFolder({ greet: GOOD })
  const repertoire = await openSkills(root)
  expect(await problemsOf(repertoire)).toEqual([])
  write(root, 'mail', UNCLOSED)
  await repertoire.reload({ force: true })
  expect(await problemsOf(repertoire)).toMatchObject([
    { skill: 'mail', message: expect.stringContaining('was not loaded') },
  ])
})

it('[FRONT-5] a linked folder of a skill is reported, unless the skill is loaded from elsewhere', async () => {
  const shared = skillsFolder({ greet: GOOD })
  const linked = skillsFolder({ mail: GOOD.replace('greet', 'mail') })
  symlinkSync(join(shared, 'greet'), join(linked, 'greet'), 'junction')
  expect(await problemsOf(await openSkills([linked, shared]))).toEqual([])
  expect(await problemsOf(await openSkills(linked))).toMatchObject([
    { skill: 'greet', path: join(linked, 'greet'), message: expect.stringContaining('is a link to a skill') },
  ])
})

it('[FRONT-5] a source that fails beside others is reported', async () => {
  const away = { id: 'away', layer: 'project', scan: failingScan('The server is away.') } as const
  const sources = [memorySource({ skills: { greet: { 'SKILL.md': GOOD } } }), away]
  expect(await problemsOf(await openRepertoire({ sources }))).toEqual([
    {
      code: 'SKILL_NOT_LOADED',
      path: 'away',
      message: expect.stringMatching(/^Skills were not loaded\. away: .*The server is away\./),
    },
  ])
})

it('[FRONT-5] says nothing of advice, of a skill that the session is not to see, or where skills are off', async () => {
  const root = skillsFolder({ greet: GOOD, mail: UNCLOSED })
  expect(await problemsOf(await openSkills(root), { skills: ['greet'] })).toEqual([])
  expect(await problemsOf(await openSkills(root), { skills: [] })).toEqual([])
  expect(await problemsOf(await openSkills(root), { skills: ['mail'] })).toHaveLength(1)
  expect(await problemsOf(await openSkills(root, { enabled: false }))).toEqual([])
  const advised = skillsFolder({ greet: GOOD.replace('---\nSay', 'colour: red\n---\nSay') })
  const repertoire = await openSkills(advised)
  expect(repertoire.catalog.diagnostics).toMatchObject([{ code: 'FIELD_UNKNOWN' }])
  expect(await problemsOf(repertoire)).toEqual([])
})
