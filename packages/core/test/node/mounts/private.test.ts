import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '@repertoire/test-servers/properties'
import { privateMounts } from '../../../src/node/index.ts'
import {
  base,
  below,
  file,
  FILES,
  mode,
  type MountFile,
  mounts,
  posix,
  request,
  root,
  useTemporaryMounts,
} from './temporary-mounts.ts'

useTemporaryMounts()

/** The name of the folder that a task has. */
const folderName = async (task: string): Promise<string> =>
  basename(join((await mounts.mount(request(task, 'pdf', []))).location, '../..'))

describe('privateMounts', () => {
  it('[ACT-5] copies a folder to private/<task>/.skills/<name>, and shows models that path', async () => {
    const mount = await mounts.mount(request('task-1'))
    expect(mount).toEqual({
      path: 'private:/.skills/pdf',
      location: join(root, 'private', 'task-1', '.skills', 'pdf'),
    })
    expect(below(mount.location)).toEqual(
      ['.env', 'SKILL.md', 'scripts', join('scripts', 'deep'), join('scripts', 'deep', 'run.sh')].toSorted(),
    )
    expect(readFileSync(join(mount.location, 'scripts/deep/run.sh'), 'utf8')).toBe('echo')
  })

  it.runIf(posix)(
    '[ACT-5] makes copies readable by this user only, writable by no one, and executable as before',
    async () => {
      const { location } = await mounts.mount(request('task-1'))
      expect(mode(join(location, 'SKILL.md'))).toBe('400')
      expect(mode(join(location, 'scripts/deep/run.sh'))).toBe('500')
      for (const folder of ['.', 'scripts', 'scripts/deep', '..', '../..']) {
        expect(mode(join(location, folder))).toBe('700')
      }
    },
  )

  it('[ACT-5] creates nothing before the first mount', () => {
    expect(existsSync(root)).toBe(false)
    expect(() => privateMounts({ root: '' })).toThrow('`root` is empty')
    expect(() => privateMounts({ root, maxBytes: 0 })).toThrow('`maxBytes` is 0')
  })

  it('[ACT-5] removes one copy, then the task’s folder when it is empty', async () => {
    await mounts.mount(request('t'))
    const other = await mounts.mount(request('t', 'csv'))
    await mounts.unmount('t', 'pdf')
    expect(readdirSync(join(root, 'private/t/.skills'))).toEqual(['csv'])
    expect(existsSync(other.location)).toBe(true)
    await mounts.unmount('t', 'csv')
    expect(readdirSync(join(root, 'private'))).toEqual([])
  })

  it('[ACT-5, ACT-7] removes all copies of one task, and keeps other tasks and the host’s files', async () => {
    await mounts.mount(request('t'))
    await mounts.mount(request('t', 'csv'))
    const other = await mounts.mount(request('u'))
    writeFileSync(join(root, 'private/t/notes.txt'), 'mine')
    await mounts.unmount('t')
    expect(below(join(root, 'private/t'))).toEqual(['notes.txt'])
    expect(below(other.location)).not.toEqual([])
  })

  it('[ACT-5] treats a missing copy as removed, in another process too', async () => {
    await mounts.unmount('never')
    await mounts.unmount('never', 'pdf')
    await mounts.mount(request('t'))
    expect(below(join(root, 'private'))).not.toEqual([])
    // Another object, as in another process, knows nothing of the first one's mounts.
    await privateMounts({ root }).unmount('t')
    expect(below(join(root, 'private'))).toEqual([])
    await mounts.unmount('t', 'pdf')
  })

  it('[ACT-5] replaces the first mount by a second one as a whole', async () => {
    await mounts.mount(request('t'))
    const { location } = await mounts.mount(request('t', 'pdf', [file('SKILL.md', 'new')]))
    expect(below(location)).toEqual(['SKILL.md'])
    expect(readFileSync(join(location, 'SKILL.md'), 'utf8')).toBe('new')
    expect(readdirSync(join(location, '..'))).toEqual(['pdf'])
  })

  it('[ACT-5] leaves nothing of a mount that fails, and keeps the copy that was there before', async () => {
    const broken: MountFile = { path: 'z.md', executable: false, read: () => Promise.reject(new Error('changed')) }
    await expect(mounts.mount(request('t', 'pdf', [...FILES, broken]))).rejects.toThrow('changed')
    expect(below(root)).toEqual([])
    const { location } = await mounts.mount(request('t'))
    await expect(mounts.mount(request('t', 'pdf', [...FILES, broken]))).rejects.toThrow('changed')
    expect(readFileSync(join(location, 'SKILL.md'), 'utf8')).toBe('SKILL.md')
    expect(readdirSync(join(location, '..'))).toEqual(['pdf'])
  })

  it('[ACT-5] shows no copy before it is complete', async () => {
    const seen: boolean[] = []
    const looking = FILES.map((one) => ({
      ...one,
      read: () => {
        seen.push(existsSync(join(root, 'private/t/.skills/pdf')))
        return one.read()
      },
    }))
    await mounts.mount(request('t', 'pdf', looking))
    expect(seen).toEqual([false, false, false])
  })

  it('[ACT-5] supports concurrent mounts and removals of one task', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `skill-${index}`)
    for (let round = 0; round < 5; round++) {
      const [kept, gone] = [names.slice(0, 4), names.slice(4)]
      await Promise.all(gone.map((name) => mounts.mount(request('t', name))))
      await Promise.all([
        ...kept.map((name) => mounts.mount(request('t', name))),
        ...gone.map((name) => mounts.unmount('t', name)),
      ])
      expect(readdirSync(join(root, 'private/t/.skills')).toSorted()).toEqual(kept)
      await Promise.all(kept.map((name) => mounts.unmount('t', name)))
      expect(below(join(root, 'private'))).toEqual([])
    }
  })

  it('[ACT-5] refuses a copy that is too large', async () => {
    const small = privateMounts({ root, maxBytes: 10 })
    await expect(small.mount(request('t', 'pdf', [file('a', '12345'), file('b', '123456')]))).rejects.toMatchObject({
      code: 'RESOURCE_TOO_LARGE',
      message: expect.stringContaining('10 bytes') as string,
    })
    expect(below(root)).toEqual([])
  })

  it.each(['../x', '/etc/x', 'a/../../x', '..', 'a\\..\\x', '', 'a//b', 'C:x'])(
    '[ACT-5] writes nowhere else for a file named %j',
    async (path) => {
      await expect(mounts.mount(request('t', 'pdf', [file(path)]))).rejects.toMatchObject({
        code: 'RESOURCE_PATH_INVALID',
      })
      expect(below(base)).toEqual([])
    },
  )

  describe('for any ids and names', () => {
    const HOSTILE = [
      '../../x',
      '..',
      '.',
      '',
      '/etc/passwd',
      'a/b',
      'a\\b',
      'C:\\x',
      'CON',
      'con',
      'nul',
      'com1',
      'x\0y',
      'x\ny',
      'x'.repeat(300),
      'trailing.',
      'trailing ',
      'Task',
      'é',
      'e\u0301',
      '\uD800',
      '\uDBFF',
      '~',
      '%2e%2e',
      '.skills',
      '🙂'.repeat(100),
    ]

    it('[ACT-5] gives every id its own folder below the root, also if names differ only in case', async () => {
      const folders = new Map<string, string>()
      for (const task of [...HOSTILE, 'task', 'TASK', 'tAsk', `x${'x'.repeat(299)}y`, 'trailing']) {
        const { location } = await mounts.mount(request(task))
        const parts = relative(join(root, 'private'), location).split(sep)
        expect(parts.slice(1)).toEqual(['.skills', 'pdf'])
        const [folder = ''] = parts
        expect(folder).toMatch(/^[a-z0-9~_-]{1,70}$/)
        expect(folders.get(folder) ?? task).toBe(task)
        folders.set(folder, task)
      }
      expect(readdirSync(base)).toEqual(['root'])
      expect(readdirSync(root)).toEqual(['private'])
      for (const task of folders.values()) await mounts.unmount(task)
      expect(below(join(root, 'private'))).toEqual([])
    })

    it('[ACT-5] keeps every skill name below .skills', async () => {
      const locations = new Set<string>()
      for (const skill of HOSTILE) {
        const { location, path } = await mounts.mount(request('t', skill))
        expect(relative(join(root, 'private/t/.skills'), location)).toMatch(/^[a-z0-9~_-]{1,70}$/)
        expect(path).toMatch(/^private:\/\.skills\/[a-z0-9~_-]{1,70}$/)
        locations.add(location)
      }
      expect(locations.size).toBe(HOSTILE.length)
      for (const skill of HOSTILE) await mounts.unmount('t', skill)
      expect(below(join(root, 'private'))).toEqual([])
    })

    it('[ACT-5] uses a plain id as the folder’s name, and different folders for different ids', async () => {
      const uuid = '0b5c6a1e-8d2f-4c57-9f0e-2f1a3b4c5d6e'
      for (const plain of ['task-1', uuid]) expect(await folderName(plain)).toBe(plain)
      for (const device of ['con', 'nul', 'com1', 'lpt9'])
        expect(await folderName(device)).toMatch(new RegExp(`^${device}~`))
      const text = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), fc.constantFrom(...HOSTILE))
      await fc.assert(
        fc.asyncProperty(text, text, async (a, b) => {
          const [one, other] = [await folderName(a), await folderName(b)]
          expect(one).toMatch(/^[a-z0-9~_-]{1,70}$/)
          expect(one === other).toBe(a === b)
          // A folder's name made of a folder's name is another task's.
          expect((await folderName(one)) === one).toBe(a === one)
        }),
      )
    })
  })

  it('[ACT-5] completes a copy even if another session of the task ends meanwhile', async () => {
    let ended = 0
    const ending: MountFile = {
      ...file('a.md'),
      read: async () => {
        if (ended++ === 0) await mounts.unmount('task')
        return new TextEncoder().encode('a')
      },
    }
    const { location } = await mounts.mount(request('task', 'pdf', [ending, file('b.md')]))
    expect(below(location)).toEqual(['a.md', 'b.md'])
  })
})
