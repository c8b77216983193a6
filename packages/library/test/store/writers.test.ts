import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createSkillRegistry, openFileStore, readSkillsLock } from '@repertoire/library'
import { bundled } from '@repertoire/test-servers'
import { expect, it } from 'vitest'
import { filesOf, instruction } from '../../src/testing/case.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const layer = 'personal'
/** Each is a start of Node: as many as the contract speaks of only in CI. */
const PROCESSES = process.env['CI'] === undefined ? 4 : 20
const WRITES = 3

function startWriter(root: string, ...args: readonly string[]) {
  const program = bundled(join(import.meta.dirname, 'writer.ts'))
  return spawn(process.execPath, ['--conditions=@repertoire/source', program, root, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

it('[LIB-6, LIB-7, RES-4, ABUSE-73] several processes that save at once, and change a lock, lose nothing', async () => {
  const root = join(temporaryFolder(), 'skills')
  const store = await openFileStore({ root, layer })
  await store.save(instruction('shared', 'From 0.\n'))
  const writers = Array.from({ length: PROCESSES }, (_, number) => startWriter(root, String(number), String(WRITES)))
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, 'exit'))[0] as number))
  expect(codes).toEqual(writers.map(() => 0))
  expect((await store.listActive()).length).toBe(PROCESSES * WRITES + 1)
  const { folder, body } = await store.get('shared')
  expect((await folder.list()).files).toHaveLength(PROCESSES * WRITES + 2)
  // A file that all of them write is that of one of them, whole.
  const lines = new TextDecoder().decode(await folder.read('same.md')).split('\n')
  expect([lines.length, new Set(lines.slice(0, -1)).size]).toEqual([1_001, 1])
  expect((await readSkillsLock(root)).skills.size).toBe(PROCESSES * WRITES)
  // Each writer has read the number and saved the next one, with the revision of what it read.
  expect(body).toBe(`From ${PROCESSES * WRITES}.\n`)
  // As many starts of Node take their time on a loaded machine.
}, 300_000)

it('[LIB-7, ABUSE-76] a writer that is stopped is not overtaken, also when it continues, and one that is killed is not waited for', async () => {
  const root = join(temporaryFolder(), 'skills')
  const store = await openFileStore({ root, layer, lockTimeout: 200 })
  await store.save(instruction('pdf', 'Old.\n'))
  const holder = startWriter(root, 'hold')
  await once(holder.stdout, 'data')
  holder.kill('SIGSTOP')
  await expect(store.save(instruction('pdf', 'New.\n'))).rejects.toMatchObject({ code: 'TIMED_OUT' })
  expect((await store.get('pdf')).body).toBe('Old.\n')
  holder.kill('SIGCONT')
  await expect(store.save(instruction('pdf', 'New.\n'))).rejects.toMatchObject({ code: 'TIMED_OUT' })
  holder.stdin.end()
  await once(holder, 'exit')
  await store.save(instruction('pdf', 'Newer.\n'))
  expect((await store.get('pdf')).body).toBe('Newer.\n')

  const killed = startWriter(root, 'hold')
  await once(killed.stdout, 'data')
  killed.kill('SIGSTOP')
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await store.save(instruction('pdf', 'New.\n'))
  expect((await store.get('pdf')).body).toBe('New.\n')
})

it('[ABUSE-75] refuses links in the place of a skill, of a file, of its own folder and of the lock, and changes nothing', async () => {
  const folder = temporaryFolder()
  const [root, outside] = [join(folder, 'skills'), join(folder, 'outside')]
  mkdirSync(outside)
  writeFileSync(join(outside, 'SKILL.md'), 'outside')
  const store = await openFileStore({ root, layer })
  await store.replace('pdf', filesOf('pdf', { 'a/b.md': 'b' }))
  symlinkSync(outside, join(root, 'linked'))
  symlinkSync(join(outside, 'SKILL.md'), join(root, 'pdf', 'link.md'))
  symlinkSync(outside, join(root, 'pdf', 'out'))
  const refused = { code: 'RESOURCE_REFUSED' }
  await expect(store.save(instruction('linked'))).rejects.toMatchObject(refused)
  await expect(store.replace('linked', filesOf('linked'))).rejects.toMatchObject(refused)
  await expect(store.delete('linked')).rejects.toMatchObject(refused)
  await expect(store.saveResource('linked', 'a.md', 'a')).rejects.toMatchObject(refused)
  await expect(store.saveResource('pdf', 'link.md', 'a')).rejects.toMatchObject(refused)
  await expect(store.saveResource('pdf', 'out/SKILL.md', 'a')).rejects.toMatchObject(refused)
  expect(readdirSync(outside)).toEqual(['SKILL.md'])
  expect(readFileSync(join(outside, 'SKILL.md'), 'utf8')).toBe('outside')
  // What is removed with a skill is the link, and not what it leads to.
  await store.delete('pdf')
  expect(existsSync(join(outside, 'SKILL.md'))).toBe(true)

  for (const name of ['lock']) {
    const other = join(folder, name)
    const inside = await openFileStore({ root: other, layer })
    mkdirSync(join(other, '.repertoire'), { recursive: true })
    symlinkSync(join(outside, 'SKILL.md'), join(other, '.repertoire', name))
    await expect(inside.save(instruction('pdf'))).rejects.toMatchObject(refused)
    expect(readFileSync(join(outside, 'SKILL.md'), 'utf8')).toBe('outside')
  }
  const other = join(folder, 'hard')
  mkdirSync(join(other, '.repertoire'), { recursive: true })
  linkSync(join(outside, 'SKILL.md'), join(other, '.repertoire', 'lock'))
  await expect((await openFileStore({ root: other, layer })).save(instruction('pdf'))).rejects.toMatchObject(refused)
  const last = join(folder, 'last')
  mkdirSync(last)
  symlinkSync(outside, join(last, '.repertoire'))
  await expect((await openFileStore({ root: last, layer })).save(instruction('pdf'))).rejects.toMatchObject(refused)
  expect(readdirSync(outside)).toEqual(['SKILL.md'])
})

it('[LIB-2] a registry does not create a skill in a folder that is there without a SKILL.md, and says so', async () => {
  for (const files of [[], ['notes.md']]) {
    const root = temporaryFolder()
    mkdirSync(join(root, 'pdf'))
    for (const file of files) writeFileSync(join(root, 'pdf', file), 'mine')
    const registry = createSkillRegistry({ store: await openFileStore({ root, layer: 'personal' }) })
    const skill = { name: 'pdf', description: 'D.', type: 'instruction' }
    const message = expect.stringContaining('a folder without a SKILL.md') as string
    await expect(registry.create(skill)).rejects.toMatchObject({ code: 'STORE_CONFLICT', message })
    expect(readdirSync(join(root, 'pdf'))).toEqual(files)
  }
})

it('[LIB-1] opening a store changes nothing on the disk, and a folder without a SKILL.md is not a skill', async () => {
  const root = join(temporaryFolder(), 'skills')
  const store = await openFileStore({ root, layer })
  expect(await store.listActive()).toEqual([])
  expect(lstatSync(root, { throwIfNoEntry: false })).toBeUndefined()
  mkdirSync(join(root, 'notes'), { recursive: true })
  mkdirSync(join(root, '.hidden'))
  writeFileSync(join(root, '.hidden', 'SKILL.md'), 'broken')
  const diagnostics: unknown[] = []
  for await (const item of store.scan()) if ('code' in item) diagnostics.push(item)
  expect(diagnostics).toEqual([])
  await expect(store.get('notes')).rejects.toMatchObject({ code: 'SKILL_NOT_FOUND' })
  await expect(store.save(instruction('notes'), { ifRevision: null })).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
})

it('[LIB-1] a skill that was changed by hand has another revision, and a broken one keeps no other from being listed', async () => {
  const root = join(temporaryFolder(), 'skills')
  const store = await openFileStore({ root, layer })
  const { revision } = await store.save(instruction('pdf'))
  await store.save(instruction('other'))
  writeFileSync(join(root, 'pdf', 'note.md'), 'by hand')
  await expect(store.save(instruction('pdf'), { ifRevision: revision })).rejects.toMatchObject({
    code: 'STORE_CONFLICT',
  })
  writeFileSync(join(root, 'pdf', 'SKILL.md'), 'broken')
  await expect(store.get('pdf')).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
  expect((await store.listActive()).map(({ name }) => name)).toEqual(['other'])
})
