// Only here every way of watching can be chosen; a source takes the one that the system has.
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Diagnostic, SourceWatch } from '../../index.ts'
import { type WatchSettings, watchDirectory } from './directory.ts'
import { directorySource } from '../index.ts'

let base: string
let root: string
const open: SourceWatch[] = []

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-watch-')))
  root = join(base, 'home', 'skills')
})

afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
  rmSync(base, { recursive: true, force: true })
})

/** Waits until everything that the system had to tell so far was told: it tells all watches of a process in order. */
const settled = async (): Promise<void> => {
  const marks = join(base, 'marks')
  mkdirSync(marks, { recursive: true })
  await new Promise<void>((resolve) => {
    const marked = watch(marks, () => {
      marked.close()
      resolve()
    })
    writeFileSync(join(marks, 'mark'), '')
  })
  // New folders are looked into a turn later.
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

const write = (path: string, text = 'text'): void => {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** A watch whose changes are awaited one by one: `change` is fulfilled by what is told after it was called. */
interface Watched {
  /** Does something, and waits until a change is told. */
  after(work: () => void): Promise<void>
  readonly count: () => number
  readonly diagnostics: readonly Diagnostic[]
}

const watching = async (settings: Partial<WatchSettings>): Promise<Watched> => {
  let count = 0
  let told = (): void => {}
  const diagnostics: Diagnostic[] = []
  const opened = await watchDirectory(
    {
      root,
      depth: 1,
      hidden: false,
      maxFolders: 20_000,
      followLinks: false,
      trusted: true,
      watch: { by: 'events', interval: 20 },
      ...settings,
    },
    {
      changed() {
        count++
        told()
      },
      diagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    },
  )
  open.push(opened)
  return {
    diagnostics,
    count: () => count,
    async after(work) {
      await settled()
      const change = new Promise<void>((resolve) => {
        told = resolve
      })
      work()
      await change
    },
  }
}

const MODES: readonly (readonly [string, Partial<WatchSettings>])[] = [
  ['a watch of each folder', { recursive: false }],
  ['one recursive watch', { recursive: true }],
  ['polling', { watch: { by: 'polling', interval: 20 } }],
]

describe.each(MODES)('the watch of a directory, by %s', (_, mode) => {
  it('[CAT-4] tells of a manifest that is written, written again, deleted and made again', async () => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    await watched.after(() => write('pdf/SKILL.md', 'another'))
    await watched.after(() => write('pdf/SKILL.md', 'the third'))
    await watched.after(() => unlinkSync(join(root, 'pdf/SKILL.md')))
    await watched.after(() => write('pdf/SKILL.md', 'again'))
    expect(watched.diagnostics).toEqual([])
  })

  it('[CAT-4] tells of folders that are made, moved in, moved out and deleted, and then watches the new ones', async () => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    await watched.after(() => write('xlsx/SKILL.md'))
    await watched.after(() => write('xlsx/SKILL.md', 'another'))
    mkdirSync(join(base, 'elsewhere'))
    writeFileSync(join(base, 'elsewhere/SKILL.md'), 'text')
    await watched.after(() => renameSync(join(base, 'elsewhere'), join(root, 'moved')))
    await watched.after(() => write('moved/SKILL.md', 'another'))
    await watched.after(() => renameSync(join(root, 'moved'), join(base, 'away')))
    await watched.after(() => rmSync(join(root, 'pdf'), { recursive: true }))
  })

  it('[CAT-4] sees a root that does not exist yet, nor the folders above it', async () => {
    const watched = await watching(mode)
    await watched.after(() => write('pdf/SKILL.md'))
    await watched.after(() => write('pdf/SKILL.md', 'another'))
  })

  it('[CAT-4] sees a root that is removed and made again, also with the folder above it', async () => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    for (const gone of [root, dirname(root)]) {
      await watched.after(() => rmSync(gone, { recursive: true }))
      await watched.after(() => write('pdf/SKILL.md'))
      await watched.after(() => write('pdf/SKILL.md', 'another'))
    }
  })

  it('[CAT-4] sees a root that is replaced by a rename of the folder above it', async () => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    await watched.after(() => renameSync(dirname(root), join(base, 'old')))
    await watched.after(() => renameSync(join(base, 'old'), dirname(root)))
    await watched.after(() => write('pdf/SKILL.md', 'another'))
  })

  it('[CAT-4] tells nothing after it was closed', async () => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    const other = await watching(mode)
    await open[0]!.close()
    await open[0]!.close()
    await other.after(() => write('pdf/SKILL.md', 'another'))
    await settled()
    expect(watched.count()).toBe(0)
  })
})

describe('the watch of a directory', () => {
  // Not by a recursive watch: where the system has none, Node imitates it, and loses a file that is replaced.
  it.each([MODES[0]!, MODES[2]!])('[CAT-4] tells of a file that is replaced by a rename, by %s', async (_, mode) => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    for (const text of ['another', 'the third']) {
      await watched.after(() => {
        write('pdf/SKILL.md.tmp', text)
        renameSync(join(root, 'pdf/SKILL.md.tmp'), join(root, 'pdf/SKILL.md'))
      })
    }
    await watched.after(() => write('pdf/SKILL.md', 'after the rename'))
  })

  it.each(MODES.slice(0, 2))('[CAT-4] is not moved by what no scan looks at, by %s', async (_, mode) => {
    write('pdf/SKILL.md')
    const watched = await watching(mode)
    for (let n = 0; n < 50; n++) {
      write(`pdf/references/${n}.md`)
      write(`pdf/notes-${n}.txt`)
      write(`.git/objects/${n}/SKILL.md`)
      write(`node_modules/${n}/SKILL.md`)
      write(`.hidden/${n}/SKILL.md`)
      write(`${n}.txt`)
    }
    await settled()
    expect(watched.count()).toBe(0)
    await watched.after(() => write('pdf/SKILL.md', 'another'))
  })

  it('[CAT-4] reaches as deep as the scan, and looks into hidden folders where the scan does', async () => {
    write('a/b/c/SKILL.md')
    const watched = await watching({ depth: 3, hidden: true })
    await watched.after(() => write('a/b/c/SKILL.md', 'another'))
    await watched.after(() => write('a/.b/c/SKILL.md'))
    await watched.after(() => write('a/.b/c/SKILL.md', 'another'))
    await watched.after(() => renameSync(join(root, 'a'), join(root, 'z')))
    await watched.after(() => write('z/b/c/SKILL.md', 'the third'))
  })

  it('[CAT-4] follows a link only where the source does', async () => {
    mkdirSync(join(base, 'real'))
    writeFileSync(join(base, 'real/SKILL.md'), 'text')
    mkdirSync(root, { recursive: true })
    symlinkSync(join(base, 'real'), join(root, 'linked'))
    symlinkSync(root, join(root, 'loop'))
    const following = await watching({ followLinks: true, depth: 4 })
    const other = await watching({})
    await following.after(() => writeFileSync(join(base, 'real/SKILL.md'), 'another'))
    await settled()
    expect(other.count()).toBe(0)
    await other.after(() => unlinkSync(join(root, 'linked')))
  })

  it('[CAT-4, DISC-9] does not watch what is not trusted', async () => {
    write('pdf/SKILL.md')
    const untrusted = await watching({ trusted: false })
    const trusted = await watching({})
    await trusted.after(() => write('pdf/SKILL.md', 'another'))
    expect(untrusted.count()).toBe(0)
  })

  it('[CAT-4] watches no more folders than the scan looks into', async () => {
    for (let n = 0; n < 30; n++) write(`skill-${n}/SKILL.md`)
    const watched = await watching({ maxFolders: 10 })
    await watched.after(() => write('skill-new/SKILL.md'))
    expect(watched.diagnostics).toEqual([])
  })

  it('[CAT-4] refuses options that are none', () => {
    const source = (how: object) => () => directorySource({ root, layer: 'project', watch: how })
    expect(source({ by: 'guessing' })).toThrow(TypeError)
    for (const interval of [0, -1, NaN, 2 ** 31]) expect(source({ interval })).toThrow(TypeError)
    expect(source({ by: 'polling', interval: 500 })).not.toThrow()
  })
})
