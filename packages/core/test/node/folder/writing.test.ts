import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { OpenError, type OpenFolder, openPinnedFolder } from '../../../src/node/index.ts'

const BYTES = new TextEncoder().encode('new')

let base: string
let root: string
let outside: string

beforeEach(() => {
  base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-writing-'))
  root = join(base, 'root')
  outside = join(base, 'outside')
  mkdirSync(join(root, 'a'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(root, 'a/note'), 'old')
  writeFileSync(join(outside, 'note'), 'secret')
})

afterEach(() => {
  rmSync(base, { recursive: true, force: true })
})

function failure(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error instanceof OpenError
      ? error.kind === 'system'
        ? (error.cause as { code?: string }).code
        : error.kind
      : error
  }
  throw new Error('nothing was refused')
}

/** Puts a link to the folder outside where a folder is. */
function swap(path: string): void {
  renameSync(path, join(base, 'parked'))
  symlinkSync(outside, path)
}

describe.each([
  ['by descriptors', true],
  ['by device and inode', false],
])('changing a folder %s', (_, byDescriptors) => {
  const skipped = byDescriptors && process.platform !== 'linux'
  const open = (): OpenFolder => openPinnedFolder(root, byDescriptors)

  it.skipIf(skipped)('[RES-4] creates, replaces, moves and removes files and folders', () => {
    const folder = open().makeFolder('a').makeFolder('b')
    folder.write('new', BYTES)
    folder.write('new', new TextEncoder().encode('newer'))
    expect(readFileSync(join(root, 'a/b/new'), 'utf8')).toBe('newer')
    folder.move('new', open().folder('a'), 'moved')
    expect(readdirSync(join(root, 'a'))).toEqual(['b', 'moved', 'note'])
    open().folder('a').remove('b')
    open().folder('a').remove('moved')
    expect(readdirSync(join(root, 'a'))).toEqual(['note'])
  })

  it.skipIf(skipped)('[RES-4] keeps the permissions of the file that is replaced', () => {
    const folder = open()
    folder.write('run', BYTES, { mode: 0o750 })
    folder.write('run', BYTES)
    expect(statSync(join(root, 'run')).mode & 0o777).toBe(0o750)
  })

  it.skipIf(skipped)('[RES-4] replaces the name and not the file, so that another name keeps its content', () => {
    linkSync(join(outside, 'note'), join(root, 'shared'))
    open().write('shared', BYTES)
    expect(readFileSync(join(outside, 'note'), 'utf8')).toBe('secret')
    expect(readFileSync(join(root, 'shared'), 'utf8')).toBe('new')
  })

  it.skipIf(skipped)('[RES-4, ABUSE-26] refuses to write where there is a link, a folder or a file on the way', () => {
    symlinkSync(join(outside, 'note'), join(root, 'link'))
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync(join(outside, 'none'), join(root, 'dangling'))
    const folder = open()
    expect(failure(() => folder.write('link', BYTES))).toBe('link')
    expect(failure(() => folder.write('dangling', BYTES))).toBe('link')
    expect(failure(() => folder.write('a', BYTES))).toBe('folder')
    expect(failure(() => folder.makeFolder('folder'))).toBe('link')
    expect(failure(() => folder.folder('a').makeFolder('note'))).toBe('missing')
    expect(readdirSync(outside)).toEqual(['note'])
    expect(readFileSync(join(outside, 'note'), 'utf8')).toBe('secret')
    expect(readdirSync(root).toSorted()).toEqual(['a', 'dangling', 'folder', 'link'])
  })

  it.skipIf(skipped)('[RES-4] removes a link and not what it leads to, and no folder that holds something', () => {
    symlinkSync(outside, join(root, 'link'))
    open().remove('link')
    expect(existsSync(join(outside, 'note'))).toBe(true)
    expect(failure(() => open().remove('a'))).toBe('ENOTEMPTY')
    expect(failure(() => open().remove('none'))).toBe('missing')
  })

  it.skipIf(skipped)('[RES-4] never replaces anything by moving', () => {
    writeFileSync(join(root, 'other'), 'other')
    expect(failure(() => open().move('other', open().folder('a'), 'note'))).toBe('EEXIST')
    expect(readFileSync(join(root, 'a/note'), 'utf8')).toBe('old')
    expect(readFileSync(join(root, 'other'), 'utf8')).toBe('other')
  })

  it.skipIf(skipped)('[RES-4] leaves everything as it was where the last check throws', () => {
    const folder = open().folder('a')
    const refuse = (): never => {
      throw new RangeError('changed meanwhile')
    }
    expect(failure(() => folder.write('note', BYTES, { check: refuse }))).toBeInstanceOf(RangeError)
    expect(readFileSync(join(root, 'a/note'), 'utf8')).toBe('old')
    expect(readdirSync(join(root, 'a'))).toEqual(['note'])
  })

  it.skipIf(skipped)(
    '[RES-4, ABUSE-26] writes nothing outside when the folder is swapped for a link before or during the write',
    () => {
      const folder = open().folder('a')
      // The descriptor still holds the folder that was opened; the other way sees the swap, and refuses.
      const write = (check?: () => void): unknown => {
        try {
          folder.write('note', BYTES, check === undefined ? {} : { check })
          return 'written'
        } catch (error) {
          return (error as OpenError).kind
        }
      }
      const during = write(() => swap(join(root, 'a')))
      const after = write()
      expect([during, after]).toEqual(byDescriptors ? ['written', 'written'] : ['link', 'link'])
      expect(readdirSync(outside)).toEqual(['note'])
      expect(readFileSync(join(outside, 'note'), 'utf8')).toBe('secret')
      expect(readFileSync(join(base, 'parked/note'), 'utf8')).toBe(byDescriptors ? 'new' : 'old')
    },
  )

  it.skipIf(skipped)('[RES-4, ABUSE-26] refuses a link that takes the file’s place at the last moment', () => {
    const folder = open().folder('a')
    const note = join(root, 'a/note')
    const link = (): void => {
      rmSync(note)
      symlinkSync(join(outside, 'note'), note)
    }
    expect(failure(() => folder.write('note', BYTES, { check: link }))).toBe('link')
    expect(readFileSync(join(outside, 'note'), 'utf8')).toBe('secret')
    expect(readlinkSync(note)).toBe(join(outside, 'note'))
    expect(readdirSync(join(root, 'a'))).toEqual(['note'])
  })
})
