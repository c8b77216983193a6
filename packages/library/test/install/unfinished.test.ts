import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import {
  applyPlan,
  clearLeftovers,
  findLeftovers,
  openFileStore,
  planAdd,
  planInstall,
  planRemove,
  recoverProject,
} from '@repertoire/library'
import { runs } from '@repertoire/test-servers/properties'
import { array, assert, asyncProperty, constant, constantFrom, option, record } from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { carryOutOn } from '../../src/install/apply-plan.ts'
import { instruction } from '../../src/testing/case.ts'
import { faulty, quick } from '../faulty.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { filesIn, originOf, put } from './project.ts'

const AGENTS = '.agents/skills'
const STATE = `${AGENTS}/.repertoire`
const UUID = '00000000-0000-4000-8000-000000000000'
const OLD = { keep: {}, pdf: { 'a.md': 'old' } }
const NEW = { csv: { 'new.md': 'new' }, pdf: { 'b.md': 'new' } }
const refused = { code: 'FOLDER_NOT_WRITABLE', message: expect.stringContaining('repertoire recover') as string }

async function prepared(project = temporaryFolder()): Promise<string> {
  await carryOutOn(await planAdd({ project, origins: [originOf(OLD)] }), quick)
  return project
}

const planOf = (project: string) => planAdd({ project, origins: [originOf(NEW, { revision: 'b'.repeat(40) })] })

/** A project whose update was killed at a call, so that its change is unfinished. */
async function killed(at: number, project?: string): Promise<string> {
  const made = await prepared(project)
  await carryOutOn(await planOf(made), faulty(at, 'killed').system).catch(() => {})
  return made
}

/** A project whose update was killed when a folder had left its place and the lock was not written yet. */
async function killedBetween(makeProject = temporaryFolder): Promise<string> {
  for (let at = 1; at < 200; at++) {
    const project = await killed(at, makeProject())
    if (stateOf(project).some((name) => name.startsWith('former-')) && !lockOf(project).includes('csv')) return project
  }
  return expect.unreachable('the update was never killed between its folders and its lock')
}

const lockOf = (project: string): string => readFileSync(join(project, 'skills-lock.json'), 'utf8')

async function callsOfUpdate(): Promise<number> {
  const project = await prepared()
  const counted = faulty(0, 'killed')
  await carryOutOn(await planOf(project), counted.system)
  return counted.calls()
}

/** What is in the state folder, by name. */
const stateOf = (project: string): readonly string[] =>
  existsSync(join(project, STATE)) ? readdirSync(join(project, STATE)).toSorted() : []

const journal = (project: string, value: object): void => put(project, `${STATE}/journal.json`, JSON.stringify(value))

/** This machine becomes another one for a test: nothing that was kept before is there. */
function anotherMachine(state = join(temporaryFolder(), 'state')): string {
  vi.stubEnv('XDG_STATE_HOME', state)
  onTestFinished(() => void vi.unstubAllEnvs())
  return state
}

describe('an unfinished change that came with a project', () => {
  it('[LIB-14, ABUSE-124] a copy of a project whose change was killed is left as it is, at every call, and can be cleared', async () => {
    const calls = await callsOfUpdate()
    let changes = 0
    for (let at = 1; at <= calls; at += 3) {
      const original = await killed(at)
      const copy = join(temporaryFolder(), 'copy')
      cpSync(original, copy, { recursive: true })
      const before = filesIn(copy)
      const state = stateOf(copy)
      const found = await findLeftovers({ project: copy })
      expect(
        found.filter(({ own }) => own),
        `at ${at}`,
      ).toEqual([])
      if (found.some(({ kind }) => kind === 'change')) {
        changes++
        await expect(planInstall({ project: copy, frozen: true }), `at ${at}`).rejects.toMatchObject(refused)
        await expect(planOf(copy)).rejects.toMatchObject(refused)
        await expect(planRemove({ project: copy, skills: ['keep'] })).rejects.toMatchObject(refused)
      } else if (found.length > 0) {
        await expect(planInstall({ project: copy, frozen: true }), `at ${at}`).rejects.toMatchObject({
          code: 'LOCK_MISMATCH',
        })
      }
      await recoverProject({ project: copy })
      await openFileStore({ root: join(copy, AGENTS), layer: 'project' })
      expect(filesIn(copy), `at ${at}`).toEqual(before)
      expect(stateOf(copy), `at ${at}`).toEqual(state)
      expect(await clearLeftovers({ project: copy })).toHaveLength(found.length)
      expect(await findLeftovers({ project: copy })).toEqual([])
      expect({ ...filesIn(copy), ...skillsOf(before) }, `at ${at}`).toEqual(filesIn(copy))
      // The one that this machine has made is finished as ever.
      await recoverProject({ project: original })
      expect(await findLeftovers({ project: original })).toEqual([])
    }
    expect(changes).toBeGreaterThan(3)
  })

  it('[LIB-14, ABUSE-124] neither removes, adds nor replaces a skill, whatever its journal says', async () => {
    const project = await prepared()
    put(project, `${AGENTS}/mine/SKILL.md`, 'mine')
    put(project, `${STATE}/staged-${UUID}/SKILL.md`, 'planted')
    put(project, `${STATE}/former-${UUID}/SKILL.md`, 'planted')
    const before = filesIn(project)
    const staged = `staged-${UUID}`
    const former = `former-${UUID}`
    const swap = record(
      {
        skill: constantFrom('mine', 'pdf', 'keep', 'new'),
        staged: constant(staged),
        former: constant(former),
      },
      { requiredKeys: ['skill'] },
    )
    const entries = constantFrom({}, { pdf: null }, { mine: null })
    await assert(
      asyncProperty(array(swap, { minLength: 1, maxLength: 3 }), option(entries), async (pending, given) => {
        const commitment = { project: '../..', entries: given ?? {} }
        const isAlone = pending.length === 1 && given === null
        journal(project, { sequence: 9, pending, ...(!isAlone && { commitment }) })
        for (const frozen of [true, false]) {
          await expect(planInstall({ project, frozen })).rejects.toMatchObject(refused)
        }
        await recoverProject({ project })
        const store = await openFileStore({ root: join(project, AGENTS), layer: 'project' })
        await expect(store.save(instruction('other'))).rejects.toMatchObject(refused)
        await expect(store.get('new')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
        const seen: string[] = []
        for await (const item of store.scan()) if ('folderName' in item) seen.push(item.folderName)
        expect(seen.toSorted()).toEqual(['keep', 'mine', 'pdf'])
        expect(filesIn(project)).toEqual(before)
        expect(stateOf(project)).toContain(former)
      }),
      { numRuns: runs(10) },
    )
    expect(await findLeftovers({ project })).toMatchObject([
      { path: STATE, kind: 'change', own: false },
      { kind: expect.anything() as string, own: false },
      { own: false },
    ])
    await clearLeftovers({ project })
    expect(filesIn(project)).toEqual(before)
    expect(stateOf(project).filter((name) => /^(?:staged|former)-/.test(name))).toEqual([])
    await expect(planInstall({ project })).resolves.toMatchObject({ writes: false })
  })

  it('[LIB-14, ABUSE-124] staged and former folders without a journal stay, are named, and fail a frozen installation', async () => {
    const project = await prepared()
    for (const name of [`staged-${UUID}`, `former-${UUID}`]) put(project, `${STATE}/${name}/SKILL.md`, 'planted')
    put(project, `.skills-lock.json.staged-${UUID}`, '{}')
    const kinds = (await findLeftovers({ project })).map(({ kind, own }) => `${kind} ${own}`)
    expect(kinds.toSorted()).toEqual(['former false', 'lock false', 'staged false'])
    await expect(planInstall({ project, frozen: true })).rejects.toMatchObject({
      code: 'LOCK_MISMATCH',
      message: expect.stringContaining(`former-${UUID}`) as string,
    })
    await applyPlan(await planOf(project))
    expect(stateOf(project)).toEqual(expect.arrayContaining([`staged-${UUID}`, `former-${UUID}`]))
    expect(existsSync(join(project, `.skills-lock.json.staged-${UUID}`))).toBe(true)
    await clearLeftovers({ project })
    expect(await findLeftovers({ project })).toEqual([])
    await expect(planInstall({ project, frozen: true })).resolves.toMatchObject({ writes: false })
  })

  it('[LIB-14, ABUSE-124] an old change of the same project is not carried out again after it was finished', async () => {
    const calls = await callsOfUpdate()
    let replayed = 0
    for (let at = 10; at <= calls; at += 5) {
      const project = await killed(at)
      const earlier = join(temporaryFolder(), 'earlier')
      cpSync(join(project, STATE), earlier, { recursive: true })
      await recoverProject({ project })
      const after = filesIn(project)
      cpSync(earlier, join(project, STATE), { recursive: true })
      if ((await findLeftovers({ project })).some(({ kind }) => kind === 'change')) {
        replayed++
        await expect(planInstall({ project })).rejects.toMatchObject(refused)
      }
      await recoverProject({ project })
      expect(filesIn(project), `at ${at}`).toEqual(after)
    }
    expect(replayed).toBeGreaterThan(1)
  })

  it('[LIB-14] another project that takes the path of an unfinished one is not changed', async () => {
    const parent = temporaryFolder()
    let made = 0
    const project = await killedBetween(() => makeIn(parent, `project-${made++}`))
    const other = await prepared(makeIn(parent, 'other'))
    cpSync(join(project, STATE), join(other, STATE), { recursive: true })
    // Both exist at once, so that they have different inodes.
    renameSync(project, join(parent, 'away'))
    renameSync(other, project)
    const before = filesIn(project)
    await expect(planInstall({ project })).rejects.toMatchObject(refused)
    await recoverProject({ project })
    expect(filesIn(project)).toEqual(before)
  })

  it('[LIB-14, ABUSE-124] remembered copies of a repository do not let an edited copy be overwritten', async () => {
    const project = temporaryFolder()
    const also = { '.claude/skills': 'copy' } as const
    await applyPlan(await planAdd({ project, origins: [originOf(OLD)], also }))
    put(project, '.claude/skills/pdf/a.md', 'mine')
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
    const manifest = readFileSync(join(project, '.claude/skills/pdf/SKILL.md'), 'utf8')
    const list = [
      ['SKILL.md', hash(manifest), false],
      ['a.md', hash('mine'), false],
    ]
    for (const folder of [STATE, '.claude/skills/.repertoire']) {
      put(project, `${folder}/copies.json`, JSON.stringify({ pdf: [hash(JSON.stringify(list))] }))
    }
    const { problems } = await applyPlan(await planInstall({ project }))
    expect(problems).toMatchObject([{ skill: 'pdf', reason: expect.stringContaining('changed by hand') as string }])
    expect(readFileSync(join(project, '.claude/skills/pdf/a.md'), 'utf8')).toBe('mine')
  })
})

describe('an unfinished change of this machine', () => {
  it('[LIB-14] is not undone over what was changed since, and says where both contents are', async () => {
    const calls = await callsOfUpdate()
    let conflicts = 0
    for (let at = 1; at <= calls; at++) {
      const project = await killed(at)
      // Where the new folder is in its place and the lock is still the old one.
      const isNew = existsSync(join(project, AGENTS, 'pdf/b.md'))
      const isOldLock = !lockOf(project).includes('b'.repeat(40))
      if (!isNew || !isOldLock) continue
      put(project, `${AGENTS}/pdf/b.md`, 'edited since')
      await expect(planInstall({ project }), `at ${at}`).rejects.toMatchObject({
        code: 'STORE_CONFLICT',
        message: expect.stringContaining('former-') as string,
      })
      expect(readFileSync(join(project, AGENTS, 'pdf/b.md'), 'utf8')).toBe('edited since')
      conflicts++
      rmSync(join(project, AGENTS, 'pdf'), { recursive: true })
      await planInstall({ project })
      expect(filesIn(join(project, AGENTS, 'pdf'))).toMatchObject({ 'a.md': 'old' })
      expect(await findLeftovers({ project })).toEqual([])
    }
    expect(conflicts).toBeGreaterThan(0)
  })

  it('[LIB-14] an undone addition stays where somebody has written into it', async () => {
    const calls = await callsOfUpdate()
    for (let at = 1; at <= calls; at++) {
      const project = await killed(at)
      const isOldLock = !lockOf(project).includes('csv')
      if (!existsSync(join(project, AGENTS, 'csv/new.md')) || !isOldLock) continue
      put(project, `${AGENTS}/csv/notes.md`, 'mine')
      await recoverProject({ project })
      expect(filesIn(join(project, AGENTS, 'csv')), `at ${at}`).toMatchObject({ 'notes.md': 'mine' })
      return
    }
    expect.unreachable('the update was never killed between the folders and the lock')
  })

  it('[LIB-14] a former folder that was swapped while nobody ran is not brought back', async () => {
    const calls = await callsOfUpdate()
    for (let at = 1; at <= calls; at++) {
      const project = await killed(at)
      const former = stateOf(project).find((name) => name.startsWith('former-'))
      const isOldLock = !lockOf(project).includes('csv')
      if (former === undefined || !isOldLock) continue
      put(project, `${STATE}/${former}/a.md`, 'planted')
      await expect(planInstall({ project }), `at ${at}`).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
      expect(filesIn(join(project, AGENTS))['pdf/a.md']).not.toBe('planted')
      return
    }
    expect.unreachable('the update was never killed between two folders')
  })
})

describe('a machine without a private folder', () => {
  const places: Readonly<Record<string, (state: string) => void>> = {
    'is a file': (state) => writeFileSync(state, ''),
    'holds a link in its place': (state) => {
      mkdirSync(state)
      mkdirSync(join(state, 'real'), { mode: 0o700 })
      symlinkSync('real', join(state, 'repertoire'))
    },
    'can be written by others': (state) => {
      mkdirSync(join(state, 'repertoire'), { recursive: true })
      chmodSync(join(state, 'repertoire'), 0o777)
    },
  }

  it.skipIf(process.platform === 'win32').each(Object.entries(places))(
    '[LIB-14] installs all the same, finishes nothing by itself, and clears on request, where the folder %s',
    async (_, make) => {
      const state = anotherMachine()
      make(state)
      const project = await killedBetween()
      const found = await findLeftovers({ project })
      expect(found.map(({ kind }) => kind)).toContain('change')
      expect(found.filter(({ own }) => own)).toEqual([])
      expect(found.filter(({ skill }) => skill === 'pdf').length).toBeGreaterThan(0)
      const before = filesIn(project)
      await expect(planInstall({ project })).rejects.toMatchObject(refused)
      expect(filesIn(project)).toEqual(before)
      await clearLeftovers({ project })
      expect(await findLeftovers({ project })).toEqual([])
      const whole = await prepared()
      await applyPlan(await planOf(whole))
      expect(await findLeftovers({ project: whole })).toEqual([])
      await expect(planInstall({ project: whole, frozen: true })).resolves.toMatchObject({ writes: false })
    },
  )

  it('[LIB-14] what another machine has made at the same path is not finished here', async () => {
    const project = await killedBetween()
    anotherMachine()
    const before = filesIn(project)
    expect((await findLeftovers({ project })).filter(({ own }) => own)).toEqual([])
    await expect(planInstall({ project })).rejects.toMatchObject(refused)
    expect(filesIn(project)).toEqual(before)
  })

  it.skipIf(process.platform === 'win32')('[LIB-14] keeps what it knows where only this user can read it', async () => {
    const state = anotherMachine()
    await killedBetween()
    expect(statSync(join(state, 'repertoire')).mode & 0o777).toBe(0o700)
    const names = readdirSync(join(state, 'repertoire'))
    expect(names).toContain('secret')
    expect(names.filter((name) => name.startsWith('change-')).length).toBeGreaterThan(0)
    for (const name of names) expect([name, statSync(join(state, 'repertoire', name)).mode % 0o100]).toEqual([name, 0])
  })
})

function makeIn(parent: string, name: string): string {
  mkdirSync(join(parent, name))
  return join(parent, name)
}

/** The files of skills, without the lock. */
function skillsOf(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(AGENTS)))
}
