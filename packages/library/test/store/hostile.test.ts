import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { openRepertoire } from '@repertoire/core'
import { changeSkillsLock, openFileStore } from '@repertoire/library'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writingSystem } from '../../src/durable/system.ts'
import type { WritingSystem } from '../../src/durable/system.ts'
import { openStoreOn } from '../../src/store/file-store.ts'
import { contentOf, filesOf, instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const layer = 'personal'
const refused = { code: 'RESOURCE_REFUSED' }
const notWritable = { code: 'FOLDER_NOT_WRITABLE' }

const openIn = (root: string) => openFileStore({ root, layer, lockTimeout: 300 })
const permissionsOf = (path: string): number => statSync(path).mode & 0o777

/** A system that calls `before` ahead of its n-th call, counted from 1. */
function interrupted(at: number, before: () => void): { readonly system: WritingSystem; readonly calls: () => number } {
  let calls = 0
  const entries = Object.entries(writingSystem).map(([name, call]) => [
    name,
    (...args: readonly unknown[]): unknown => {
      if (++calls === at) before()
      return (call as (...args: readonly unknown[]) => unknown)(...args)
    },
  ])
  return { system: Object.fromEntries(entries) as WritingSystem, calls: () => calls }
}

/** Runs as a user who is not the administrator, for whom permissions hold. */
async function asUser(work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid!(65_534)
  try {
    await work()
  } finally {
    process.seteuid!(0)
  }
}

describe('a folder that somebody else changes meanwhile', () => {
  it.each(['folder of the skill', 'folder in it', 'file'] as const)(
    '[LIB-1, RES-4, ABUSE-75] saves nothing outside of the store where a link takes the place of the %s before any of its calls',
    async (what) => {
      const outside = temporaryFolder()
      writeFileSync(join(outside, 'b.md'), 'theirs')
      const saveWith = async (at: number) => {
        const root = join(temporaryFolder(), 'skills')
        await (await openIn(root)).replace('pdf', filesOf('pdf', { 'a/b.md': 'old' }))
        const path = join(root, { 'folder of the skill': 'pdf', 'folder in it': 'pdf/a', file: 'pdf/a/b.md' }[what])
        const { system, calls } = interrupted(at, () => {
          renameSync(path, join(root, '.aside'))
          symlinkSync(what === 'file' ? join(outside, 'b.md') : outside, path)
        })
        const store = await openStoreOn({ root, layer }, system)
        const outcome = await store.saveResource('pdf', 'a/b.md', 'new').then(
          () => 'written',
          (error: unknown) => (error as { code?: string }).code,
        )
        return { outcome, calls: calls() }
      }
      const { calls } = await saveWith(0)
      const outcomes: unknown[] = []
      for (let at = 1; at <= calls; at++) {
        outcomes.push((await saveWith(at)).outcome)
        expect([readdirSync(outside), readFileSync(join(outside, 'b.md'), 'utf8')], `at ${at}`).toEqual([
          ['b.md'],
          'theirs',
        ])
      }
      expect(['written', 'RESOURCE_REFUSED']).toEqual(expect.arrayContaining(outcomes))
      expect(outcomes).toContain('RESOURCE_REFUSED')
    },
  )

  it('[LIB-7, ABUSE-75] writes nothing where the store itself is replaced while a writer waits for the lock', async () => {
    const parent = temporaryFolder()
    const [root, other] = [join(parent, 'skills'), join(parent, 'other')]
    await (await openIn(root)).save(instruction('pdf'))
    await (await openIn(other)).save(instruction('other'))
    // The first call is the one that makes the store's own folder, ahead of the lock.
    const { system } = interrupted(1, () => {
      renameSync(root, join(parent, 'moved'))
      renameSync(other, root)
    })
    const store = await openStoreOn({ root, layer }, system)
    await expect(store.save(instruction('new'))).rejects.toMatchObject(refused)
    expect([readdirSync(root), readdirSync(join(parent, 'moved'))]).toEqual([
      ['.repertoire', 'other'],
      ['.repertoire', 'pdf'],
    ])
  })

  it('[LIB-1, LIB-2] a catalog that watches has what was saved beside it, and nothing half of it', async () => {
    const root = join(temporaryFolder(), 'skills')
    const store = await openFileStore({ root, layer })
    await store.save(instruction('first'))
    const repertoire = await openRepertoire({ sources: [store], watch: true })
    onTestFinished(() => repertoire.close())
    const names = Array.from({ length: 8 }, (_, number) => `skill-${number}`)
    const { promise: complete, resolve } = Promise.withResolvers<void>()
    const problems: unknown[] = []
    repertoire.onChange(() => {
      problems.push(...repertoire.catalog.diagnostics)
      if (repertoire.catalog.list().length === names.length + 1) resolve()
    })
    for (const name of names) await store.replace(name, filesOf(name, { 'a/b.md': 'b' }))
    await complete
    expect(problems).toEqual([])
  })
})

describe('what is in the place of', () => {
  it.each([
    ['the lock: a folder', 'lock', (path: string) => mkdirSync(path), refused],
    ['the lock: a pipe', 'lock', (path: string) => execFileSync('mkfifo', [path]), refused],
    ['the lock: a database', 'lock', (path: string) => writeFileSync(path, 'SQLite format 3\0'), refused],
    ['the journal: a folder', 'journal.json', (path: string) => mkdirSync(path), notWritable],
    ['the journal: a pipe', 'journal.json', (path: string) => execFileSync('mkfifo', [path]), notWritable],
    [
      'the journal: a gigabyte',
      'journal.json',
      (path: string) => {
        writeFileSync(path, '')
        truncateSync(path, 1e9)
      },
      notWritable,
    ],
  ])('[ABUSE-75, ABUSE-76] %s is an error that says what to do, and what is stored stays readable', async (...row) => {
    const [, name, put, failure] = row
    const root = join(temporaryFolder(), 'skills')
    const store = await openIn(root)
    await store.save(instruction('pdf'))
    rmSync(join(root, '.repertoire', name), { force: true })
    put(join(root, '.repertoire', name))
    await expect(store.save(instruction('new'))).rejects.toMatchObject({
      ...failure,
      message: expect.stringMatching(/remove/i) as string,
    })
    expect((await store.listActive()).map((skill) => skill.name)).toEqual(['pdf'])
  })

  it.each(['a link', 'a folder', 'a pipe'])(
    '[LIB-1, ABUSE-75] SKILL.md: %s is neither read nor replaced, nothing waits for it, and the skill can be deleted',
    async (what) => {
      const root = join(temporaryFolder(), 'skills')
      const path = join(root, 'odd', 'SKILL.md')
      mkdirSync(dirname(path), { recursive: true })
      if (what === 'a link') symlinkSync('/etc/hostname', path)
      else if (what === 'a folder') mkdirSync(path)
      else execFileSync('mkfifo', [path])
      const store = await openIn(root)
      await expect(store.save(instruction('odd'))).rejects.toMatchObject(refused)
      await expect(store.get('odd')).rejects.toMatchObject(refused)
      await expect(store.saveResource('odd', 'a.md', 'a')).rejects.toMatchObject(refused)
      expect(await store.listActive()).toEqual([])
      expect(lstatSync(path).isFile()).toBe(false)
      await expect(store.delete('odd', { ifRevision: 'other' })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
      await store.delete('odd')
      expect(existsSync(dirname(path))).toBe(false)
      expect(existsSync('/etc/hostname')).toBe(true)
    },
  )

  it('[LIB-1] a skill: a folder with other files is neither removed nor replaced', async () => {
    const root = join(temporaryFolder(), 'skills')
    mkdirSync(join(root, 'notes'), { recursive: true })
    mkdirSync(join(root, 'empty'))
    writeFileSync(join(root, 'notes', 'mine.txt'), 'mine')
    const store = await openIn(root)
    await expect(store.delete('notes')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    await expect(store.replace('notes', filesOf('notes'))).rejects.toMatchObject(refused)
    expect(readFileSync(join(root, 'notes', 'mine.txt'), 'utf8')).toBe('mine')
    await store.replace('empty', filesOf('empty'))
    await store.save(instruction('notes'))
    expect((await store.listActive()).map(({ name }) => name)).toEqual(['empty', 'notes'])
    expect(existsSync(join(root, 'notes', 'mine.txt'))).toBe(true)
  })
})

it('[LIB-1, ABUSE-67] refuses a name beside a folder that some file systems take for it', async () => {
  const root = join(temporaryFolder(), 'skills')
  for (const name of ['PDF', 'caf\u0065\u0301']) mkdirSync(join(root, name), { recursive: true })
  const store = await openIn(root)
  for (const name of ['pdf', 'caf\u00E9']) {
    await expect(store.save(instruction(name))).rejects.toMatchObject(refused)
    await expect(store.replace(name, filesOf(name))).rejects.toMatchObject(refused)
  }
  expect(readdirSync(root)).toEqual(['.repertoire', 'PDF', 'caf\u0065\u0301'])
})

describe('permissions', () => {
  it('[LIB-1] of a private skill stay as they are', async () => {
    const root = join(temporaryFolder(), 'skills')
    const store = await openIn(root)
    await store.replace('pdf', filesOf('pdf', { 'run.sh': 'true\n' }))
    chmodSync(join(root, 'pdf'), 0o700)
    chmodSync(join(root, 'pdf', 'SKILL.md'), 0o600)
    chmodSync(join(root, 'pdf', 'run.sh'), 0o640)
    await store.save(instruction('pdf', 'New.\n'))
    await store.saveResource('pdf', 'run.sh', 'false\n', { executable: true })
    const modes = ['', 'SKILL.md', 'run.sh'].map((name) => permissionsOf(join(root, 'pdf', name)))
    expect(modes).toEqual([0o700, 0o600, 0o750])
    await store.saveResource('pdf', 'run.sh', 'false\n', { executable: false })
    expect(permissionsOf(join(root, 'pdf', 'run.sh'))).toBe(0o640)
    await store.replace('pdf', filesOf('pdf', { 'other.md': '' }))
    expect(permissionsOf(join(root, 'pdf'))).toBe(0o700)
  })

  it('[LIB-7, ABUSE-74] a folder that may not be written to, or belongs to somebody else, stays as it is', async () => {
    const parent = temporaryFolder()
    const root = join(parent, 'skills')
    await (await openIn(root)).replace('pdf', filesOf('pdf', { 'a.md': 'old' }))
    const closed = [parent, root, join(root, '.repertoire'), join(root, 'pdf')]
    for (const path of closed) chmodSync(path, 0o555)
    onTestFinished(() => closed.forEach((path) => chmodSync(path, 0o755)))
    await asUser(async () => {
      const store = await openIn(root)
      await expect(store.save(instruction('pdf'))).rejects.toMatchObject(notWritable)
      await expect(store.save(instruction('new'))).rejects.toMatchObject(notWritable)
      await expect(store.delete('pdf')).rejects.toMatchObject(notWritable)
      await expect((await openIn(join(parent, 'new'))).save(instruction('pdf'))).rejects.toMatchObject(notWritable)
      expect((await contentOf(store, 'pdf'))['a.md']).toBe('old')
    })
    expect(readdirSync(root)).toEqual(['.repertoire', 'pdf'])
  })

  it.skipIf(process.geteuid?.() !== 0)(
    '[LIB-1, LIB-9] an administrator who writes to the folder of a user leaves nothing that the user could not change',
    async () => {
      const home = temporaryFolder()
      chownSync(home, 65_534, 65_534)
      const root = join(home, 'new', 'skills')
      await (await openIn(root)).replace('pdf', filesOf('pdf', { 'a/b.md': 'old' }))
      await changeSkillsLock(root, (skills) => void skills.set('pdf', { source: 'a', sourceType: 'git' }))
      await asUser(async () => {
        const store = await openIn(root)
        await store.saveResource('pdf', 'a/b.md', 'new')
        await store.save(instruction('other'))
        await store.delete('pdf')
        await changeSkillsLock(root, (skills) => skills.clear())
      })
      const owners = readdirSync(home, { recursive: true, encoding: 'utf8' }).map(
        (name) => statSync(join(home, name)).uid,
      )
      expect(new Set(owners)).toEqual(new Set([65_534]))
    },
  )

  it('[LIB-7] folders that forbid their owner to empty them, and very deep ones, are removed with their skill', async () => {
    const parent = temporaryFolder()
    chmodSync(parent, 0o777)
    const root = join(parent, 'skills')
    await (await openIn(join(parent, 'warm'))).save(instruction('pdf'))
    await asUser(async () => {
      const store = await openIn(root)
      await store.replace('pdf', filesOf('pdf', { 'closed/in/a.md': 'a' }))
      chmodSync(join(root, 'pdf/closed/in'), 0o555)
      chmodSync(join(root, 'pdf/closed'), 0o555)
      let deep = join(root, 'pdf')
      for (let level = 0; level < 200; level++) mkdirSync((deep = join(deep, 'd')))
      writeFileSync(join(deep, 'a.md'), 'a')
      await store.delete('pdf')
      expect([readdirSync(root), readdirSync(join(root, '.repertoire')).toSorted()]).toEqual([
        ['.repertoire'],
        ['journal.json', 'lock'],
      ])
    })
  })
})
