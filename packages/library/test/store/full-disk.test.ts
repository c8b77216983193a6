import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { changeSkillsLock, openFileStore, readSkillsLock } from '@repertoire/library'
import { afterAll, describe, expect, it } from 'vitest'
import { contentOf, filesOf } from '../../src/testing/case.ts'

const layer = 'personal'

/** A disk of 128 KiB, where this user may mount one. */
const disk = ((): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
})()

afterAll(() => {
  if (disk === undefined) return
  execFileSync('umount', [disk])
  rmSync(disk, { recursive: true, force: true })
})

describe.skipIf(disk === undefined)(`a full disk${disk === undefined ? ' (this user cannot mount one)' : ''}`, () => {
  it('[LIB-7, ABUSE-74] leaves what was stored, says so, and takes the next write that fits', async () => {
    const root = join(disk!, 'skills')
    const store = await openFileStore({ root, layer })
    await store.replace('pdf', filesOf('pdf', { 'a.md': 'old' }))
    const before = await contentOf(store, 'pdf')
    const large = 'x'.repeat(200_000)
    const full = { code: 'FOLDER_NOT_WRITABLE', message: expect.stringContaining('ENOSPC') as string }
    await expect(store.replace('pdf', filesOf('pdf', { 'a.md': 'new', 'b.md': large }))).rejects.toMatchObject(full)
    await expect(store.saveResource('pdf', 'a.md', large)).rejects.toMatchObject(full)
    await expect(store.replace('other', filesOf('other', { 'b.md': large }))).rejects.toMatchObject(full)
    expect(await contentOf(store, 'pdf')).toEqual(before)
    expect(readdirSync(root).toSorted()).toEqual(['.repertoire', 'pdf'])
    await store.saveResource('pdf', 'a.md', 'new')
    expect((await contentOf(store, 'pdf'))['a.md']).toBe('new')
  })

  it('[LIB-6, ABUSE-74] leaves the lock as it was', async () => {
    const entry = { source: 'a/b', sourceType: 'github' }
    await changeSkillsLock(disk!, (skills) => void skills.set('one', entry))
    const ref = 'x'.repeat(200_000)
    await expect(changeSkillsLock(disk!, (skills) => void skills.set('two', { ...entry, ref }))).rejects.toMatchObject({
      code: 'FOLDER_NOT_WRITABLE',
    })
    expect([...(await readSkillsLock(disk!)).skills.keys()]).toEqual(['one'])
    expect(readdirSync(disk!).toSorted()).toEqual(['skills', 'skills-lock.json'])
  })
})
