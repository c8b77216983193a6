// Only here both ways of opening folders can be chosen; private mounts take the one that the system has.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { removeTree } from '../folder/open-folder.ts'
import { openIn, openRoot, removeEmpty, type TaskFolder, writeNew } from './task-folder.ts'

let base: string
let opened: TaskFolder[]

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-task-folder-'))
  opened = []
})

afterEach(() => {
  for (const folder of opened) folder.close()
  rmSync(base, { recursive: true, force: true })
})

const bytes = new TextEncoder().encode('text')
const refused = expect.objectContaining({ code: 'FOLDER_NOT_WRITABLE' }) as Error

// Both ways to keep from following links: by descriptors where the system gives their paths, and by looking first.
describe.each(process.platform === 'linux' ? [true, false] : [false])(
  'a task’s folder, by descriptors: %s',
  (descriptors) => {
    const keep = (folder: TaskFolder | undefined): TaskFolder => {
      opened.push(folder!)
      return folder!
    }
    const root = (): TaskFolder => keep(openRoot(join(base, 'a/root'), true, descriptors))

    it('[ACT-5] is made with all that is above it, written to, and removed whole', async () => {
      const folder = keep(openIn(root(), 'space', true))
      await writeNew(folder, 'note', bytes, false)
      await writeNew(keep(openIn(folder, 'deep', true)), 'run', bytes, true)
      expect(readFileSync(join(base, 'a/root/space/note'), 'utf8')).toBe('text')
      await expect(writeNew(folder, 'note', bytes, false)).rejects.toThrow(/EEXIST/)
      removeTree(opened[0]!, 'space')
      expect(existsSync(join(base, 'a/root/space'))).toBe(false)
      removeTree(opened[0]!, 'space')
    })

    it('[ACT-5] is not made where it is only looked for', () => {
      expect(openRoot(join(base, 'none'), false, descriptors)).toBeUndefined()
      expect(openIn(root(), 'none', false)).toBeUndefined()
      expect(existsSync(join(base, 'a/root/none'))).toBe(false)
    })

    it('[ACT-5] is neither a link nor a file, and nothing is written through a link', async () => {
      const folder = root()
      mkdirSync(join(base, 'outside'))
      symlinkSync(join(base, 'outside'), join(base, 'a/root/link'), 'junction')
      writeFileSync(join(base, 'a/root/file'), '')
      for (const name of ['link', 'file']) {
        for (const make of [true, false]) expect(() => openIn(folder, name, make)).toThrow(refused)
      }
      symlinkSync(join(base, 'outside/new'), join(base, 'a/root/dangling'), 'file')
      await expect(writeNew(folder, 'dangling', bytes, false)).rejects.toThrow(/EEXIST|ELOOP/)
      expect(existsSync(join(base, 'outside/new'))).toBe(false)
    })

    it('[ACT-5] loses a link that lies in it, and what the link leads to stays', () => {
      const folder = root()
      mkdirSync(join(base, 'outside/inner'), { recursive: true })
      mkdirSync(join(base, 'a/root/space'))
      symlinkSync(join(base, 'outside'), join(base, 'a/root/space/link'), 'junction')
      removeTree(folder, 'space')
      expect(existsSync(join(base, 'a/root/space'))).toBe(false)
      expect(existsSync(join(base, 'outside/inner'))).toBe(true)
    })

    it('[ACT-5] is removed as empty only where it is', () => {
      const folder = root()
      mkdirSync(join(base, 'a/root/space/inner'), { recursive: true })
      removeEmpty(folder, 'space')
      expect(existsSync(join(base, 'a/root/space/inner'))).toBe(true)
      removeEmpty(keep(openIn(folder, 'space', false)), 'inner')
      removeEmpty(folder, 'space')
      removeEmpty(folder, 'space')
      expect(existsSync(join(base, 'a/root/space'))).toBe(false)
    })

    it('[ACT-5] may be reached by a link that the host gave as the root', () => {
      mkdirSync(join(base, 'real'))
      symlinkSync(join(base, 'real'), join(base, 'linked'), 'junction')
      keep(openIn(keep(openRoot(join(base, 'linked'), true, descriptors)), 'space', true))
      expect(existsSync(join(base, 'real/space'))).toBe(true)
    })
  },
)
