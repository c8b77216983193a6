import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { openRepertoire } from '@repertoire/core'
import { openFileStore } from '@repertoire/library'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contentOf, filesOf, instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const layer = 'personal'
const refused = { code: 'RESOURCE_REFUSED' }
const notWritable = { code: 'FOLDER_NOT_WRITABLE' }

const openIn = (root: string) => openFileStore({ root, layer, lockTimeout: 300 })
const permissionsOf = (path: string): number => statSync(path).mode & 0o777

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

  it('[LIB-1] a skill: a folder without a SKILL.md is neither removed, replaced nor written to', async () => {
    const root = join(temporaryFolder(), 'skills')
    mkdirSync(join(root, 'notes'), { recursive: true })
    writeFileSync(join(root, 'notes', 'mine.txt'), 'mine')
    const store = await openIn(root)
    const conflict = {
      code: 'STORE_CONFLICT',
      message: expect.stringContaining('a folder without a SKILL.md') as string,
    }
    await expect(store.delete('notes')).rejects.toMatchObject(conflict)
    await expect(store.replace('notes', filesOf('notes'))).rejects.toMatchObject(conflict)
    await expect(store.save(instruction('notes'))).rejects.toMatchObject(conflict)
    await expect(store.saveResource('notes', 'a.md', 'a')).rejects.toMatchObject(conflict)
    await expect(store.get('notes')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
    expect(readdirSync(join(root, 'notes'))).toEqual(['mine.txt'])
    rmSync(join(root, 'notes'), { recursive: true })
    await store.save(instruction('notes'))
    expect((await store.listActive()).map(({ name }) => name)).toEqual(['notes'])
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
        ['lock'],
      ])
    })
  })
})
