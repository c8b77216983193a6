import { execFileSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OpenError, type OpenErrorKind, type OpenFolder, openPinnedFolder } from '../../../src/node/index.ts'

let base: string
let skill: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-open-'))
  skill = join(base, 'skill')
  mkdirSync(join(skill, 'a/b'), { recursive: true })
  writeFileSync(join(skill, 'a/b/note'), 'inside')
  mkdirSync(join(base, 'outside/b'), { recursive: true })
  writeFileSync(join(base, 'outside/b/note'), 'secret')
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function failure(run: () => unknown): OpenErrorKind {
  try {
    run()
  } catch (error) {
    if (error instanceof OpenError) return error.kind
    throw error
  }
  throw new Error('nothing was refused')
}

function swap(path: string, target: string): void {
  renameSync(path, join(base, 'parked'))
  symlinkSync(target, path)
}

describe.each([
  ['by descriptors', true],
  ['by device and inode', false],
])('opening %s', (way, byDescriptors) => {
  const skipped = byDescriptors && process.platform !== 'linux'
  const open = (): OpenFolder => openPinnedFolder(skill, byDescriptors)

  it.skipIf(skipped)('[RES-3] opens files and folders, and lists them', () => {
    const folder = open().folder('a').folder('b')
    expect(folder.entries().map(({ name }) => name)).toEqual(['note'])
    expect(folder.stat('note').size).toBe(6)
    const { fd, stats } = folder.file('note')
    expect(stats.size).toBe(6)
    expect(readFileSync(fd, 'utf8')).toBe('inside')
    closeSync(fd)
    folder.close()
  })

  it.skipIf(skipped)('[RES-3] reports why it opens nothing', () => {
    symlinkSync('a', join(skill, 'link'))
    symlinkSync('nowhere', join(skill, 'dangling'))
    symlinkSync('loop', join(skill, 'loop'))
    execFileSync('mkfifo', [join(skill, 'fifo')])
    // With a writer there, a mistake of ours shows as a failure and not as a test that never ends.
    const writer = openSync(join(skill, 'fifo'), 'r+')
    writeFileSync(join(skill, 'file'), '')
    const folder = open()
    for (const name of ['link', 'dangling', 'loop']) {
      const kinds = [failure(() => folder.folder(name)), failure(() => folder.file(name))]
      expect([name, ...kinds]).toEqual([name, 'link', 'link'])
      expect(folder.stat(name).isSymbolicLink()).toBe(true)
    }
    expect(failure(() => folder.folder('none'))).toBe('missing')
    expect(failure(() => folder.file('none'))).toBe('missing')
    expect(failure(() => folder.stat('none'))).toBe('missing')
    expect(failure(() => folder.folder('file'))).toBe('missing')
    expect(failure(() => folder.folder('fifo'))).toBe('missing')
    expect(failure(() => folder.file('fifo'))).toBe('special')
    expect(failure(() => folder.file('a'))).toBe('folder')
    folder.close()
    closeSync(writer)
  })

  it.skipIf(skipped)('[ABUSE-26] refuses a pinned folder that is reached through a link now', () => {
    const pinned = join(skill, 'a')
    swap(pinned, join(base, 'outside'))
    expect(failure(() => openPinnedFolder(pinned, byDescriptors))).toMatch(/^(?:link|replaced)$/)
    expect(failure(() => openPinnedFolder(join(pinned, 'b'), byDescriptors))).toBe('replaced')
    expect(failure(() => openPinnedFolder(join(base, 'none'), byDescriptors))).toBe('missing')
  })

  it.skipIf(skipped)('[ABUSE-26] shows nothing from outside when a folder is swapped after it was opened', () => {
    const above = open()
    const folder = above.folder('a')
    const deep = folder.folder('b')
    swap(join(skill, 'a'), join(base, 'outside'))
    // The descriptor still holds what was opened; the other way sees that the path leads elsewhere, and refuses.
    const note = (): string => {
      const { fd } = deep.file('note')
      try {
        return readFileSync(fd, 'utf8')
      } finally {
        closeSync(fd)
      }
    }
    if (byDescriptors) {
      expect(note()).toBe('inside')
      expect(deep.stat('note').size).toBe(6)
    } else {
      expect(failure(note)).toMatch(/^(?:link|replaced)$/)
      expect(failure(() => deep.stat('note'))).toMatch(/^(?:link|replaced)$/)
      expect(failure(() => deep.entries())).toMatch(/^(?:link|replaced)$/)
      expect(failure(() => folder.folder('b'))).toMatch(/^(?:link|replaced)$/)
    }
    expect(failure(() => above.folder('a'))).toBe('link')
    for (const each of [deep, folder, above]) each.close()
  })

  it.skipIf(skipped)('[ABUSE-26] refuses another folder in the place of the one that was opened', () => {
    const folder = open().folder('a')
    renameSync(join(skill, 'a'), join(base, 'parked'))
    mkdirSync(join(skill, 'a/b'), { recursive: true })
    if (byDescriptors) expect(folder.folder('b').entries()).toHaveLength(1)
    else expect(failure(() => folder.folder('b'))).toBe('replaced')
    folder.close()
  })
})
