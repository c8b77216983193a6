import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Repertoire, type SourceWatch, openRepertoire } from '../../../src/index.ts'
import { type DirectorySourceOptions, type DirectoryWatchOptions, directorySource } from '../../../src/node/index.ts'

let base: string
let root: string
const open: (Repertoire | SourceWatch)[] = []

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-watch-')))
  root = join(base, 'home', 'skills')
})

afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
  rmSync(base, { recursive: true, force: true })
})

/** Writes a skill below the temporary folder. The path's last folder is its name. */
const skill = (folder: string, description: string): void => {
  mkdirSync(join(base, folder), { recursive: true })
  const name = folder.slice(folder.lastIndexOf('/') + 1)
  writeFileSync(join(base, folder, 'SKILL.md'), `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`)
}
const move = (from: string, to: string): void => renameSync(join(base, from), join(base, to))
const remove = (path: string): void => rmSync(join(base, path), { recursive: true })
const link = (target: string, path: string): void => {
  mkdirSync(dirname(join(base, path)), { recursive: true })
  symlinkSync(target, join(base, path))
}
/** Replaces a link at once, as deployments do. */
const relink = (target: string, path: string): void => {
  link(target, `${path}.new`)
  move(`${path}.new`, path)
}

/** Something that is done, and what the catalog lists after it. */
type Step = readonly [work: () => void, listed: readonly string[]]

interface Scene {
  readonly title: string
  readonly options?: Partial<DirectorySourceOptions>
  readonly before?: () => void
  readonly steps: readonly Step[]
}

const pdf = (): void => skill('home/skills/pdf', 'One.')

const SCENES: readonly Scene[] = [
  {
    title: 'a manifest that is written again, replaced, deleted and made again',
    before: pdf,
    steps: [
      [() => skill('home/skills/pdf', 'Two.'), ['pdf Two.']],
      [
        () => {
          skill('home/pdf', 'Three.')
          move('home/pdf/SKILL.md', 'home/skills/pdf/SKILL.md')
        },
        ['pdf Three.'],
      ],
      [() => skill('home/skills/pdf', 'Four.'), ['pdf Four.']],
      [() => remove('home/skills/pdf/SKILL.md'), []],
      [pdf, ['pdf One.']],
    ],
  },
  {
    title: 'folders that are made, moved in and moved out',
    before: pdf,
    steps: [
      [() => skill('home/skills/xlsx', 'One.'), ['pdf One.', 'xlsx One.']],
      [() => skill('home/skills/xlsx', 'Two.'), ['pdf One.', 'xlsx Two.']],
      [() => move('home/skills/pdf', 'pdf'), ['xlsx Two.']],
      [() => move('pdf', 'home/skills/pdf'), ['pdf One.', 'xlsx Two.']],
      [() => skill('home/skills/pdf', 'Two.'), ['pdf Two.', 'xlsx Two.']],
    ],
  },
  {
    title: 'a root that does not exist yet, nor the folder above it',
    steps: [
      [pdf, ['pdf One.']],
      [() => skill('home/skills/pdf', 'Two.'), ['pdf Two.']],
    ],
  },
  {
    title: 'a root that is removed and made again, also with the folder above it',
    before: pdf,
    steps: ['home/skills', 'home'].flatMap((gone): Step[] => [
      [() => remove(gone), []],
      [pdf, ['pdf One.']],
      [() => skill('home/skills/pdf', 'Two.'), ['pdf Two.']],
    ]),
  },
  {
    title: 'a root that is replaced by another folder at once',
    before() {
      pdf()
      skill('home/next/docx', 'One.')
    },
    steps: [
      [
        () => {
          move('home/skills', 'home/old')
          move('home/next', 'home/skills')
        },
        ['docx One.'],
      ],
      [() => skill('home/skills/docx', 'Two.'), ['docx Two.']],
    ],
  },
  {
    title: 'a root that is a link, and leads to another release',
    before() {
      skill('releases/1/pdf', 'One.')
      skill('releases/2/pdf', 'Two.')
      link('../releases/1', 'home/skills')
    },
    steps: [
      [() => relink('../releases/2', 'home/skills'), ['pdf Two.']],
      [() => skill('releases/2/pdf', 'Three.'), ['pdf Three.']],
    ],
  },
  {
    title: 'the update of a Kubernetes ConfigMap, if links are followed',
    options: { followLinks: true },
    before() {
      skill('home/skills/..1/pdf', 'One.')
      link('..1', 'home/skills/..data')
      link('..data/pdf', 'home/skills/pdf')
    },
    steps: [2, 3].map((version): Step => [
      () => {
        skill(`home/skills/..${version}/pdf`, `Number ${version}.`)
        relink(`..${version}`, 'home/skills/..data')
        remove(`home/skills/..${version - 1}`)
      },
      [`pdf Number ${version}.`],
    ]),
  },
  {
    title: 'what links lead to, if they are followed',
    options: { followLinks: true, depth: 3 },
    before() {
      skill('real/pdf', 'One.')
      link('../../real', 'home/skills/linked')
      link('..', 'home/skills/loop')
    },
    steps: [
      [() => skill('real/pdf', 'Two.'), ['pdf Two.']],
      [() => remove('home/skills/linked'), []],
    ],
  },
  {
    title: 'folders as deep as a scan looks, also hidden ones if it does',
    options: { depth: 3, hidden: true },
    before: () => skill('home/skills/a/b/pdf', 'One.'),
    steps: [
      [() => skill('home/skills/a/b/pdf', 'Two.'), ['pdf Two.']],
      [() => skill('home/skills/.a/b/xlsx', 'One.'), ['pdf Two.', 'xlsx One.']],
      [() => skill('home/skills/.a/b/xlsx', 'Two.'), ['pdf Two.', 'xlsx Two.']],
      [() => move('home/skills/a', 'home/skills/z'), ['pdf Two.', 'xlsx Two.']],
      [() => skill('home/skills/z/b/pdf', 'Three.'), ['pdf Three.', 'xlsx Two.']],
    ],
  },
]

const WAYS: readonly DirectoryWatchOptions[] = [{ by: 'events' }, { by: 'polling', interval: 20 }]

describe.each(WAYS)('a directory that is watched by $by', (watch) => {
  it.each(SCENES)('[CAT-4] follows $title', async ({ options, before, steps }) => {
    before?.()
    const source = directorySource({ root, optional: true, watch, ...options })
    const repertoire = await openRepertoire({ sources: [source], watch: { debounce: 10 } })
    open.push(repertoire)
    const listed = (): string[] =>
      repertoire.catalog.list().map(({ name, manifest }) => `${name} ${manifest.description}`)
    for (const [work, expected] of steps) {
      const reached = new Promise<void>((resolve) => {
        const stop = repertoire.onChange(() => {
          if (listed().join() !== expected.join()) return
          stop()
          resolve()
        })
      })
      work()
      if (listed().join() !== expected.join()) await reached
    }
  })
})

describe('the watch of a directory', () => {
  /** Watches, and returns how often a change was reported and the promise of the next one. */
  const watching = async (
    options: Partial<DirectorySourceOptions> = {},
  ): Promise<{ count: () => number; next: () => Promise<void> }> => {
    let count = 0
    let { promise, resolve } = Promise.withResolvers<void>()
    const watched = await directorySource({ root, ...options }).watch!({
      changed() {
        count++
        resolve()
      },
      diagnostic: ({ message }) => expect.unreachable(message),
    })
    open.push(watched)
    return {
      count: () => count,
      next() {
        ;({ promise, resolve } = Promise.withResolvers<void>())
        return promise
      },
    }
  }

  it('[CAT-4] reports nothing that no scan reads', async () => {
    pdf()
    skill('real', 'One.')
    link('../../real', 'home/skills/linked')
    const { count, next } = await watching()
    const change = next()
    skill('real', 'Two.')
    skill('home/other', 'One.')
    for (let n = 0; n < 50; n++) {
      for (const folder of ['.git', 'node_modules', '.hidden', 'pdf/references'])
        skill(`home/skills/${folder}/${n}`, '')
      for (const file of [`${n}.txt`, `pdf/${n}.txt`]) writeFileSync(join(root, file), '')
    }
    skill('home/skills/pdf', 'Two.')
    await change
    expect(count()).toBeLessThan(3)
  })

  it('[CAT-4] looks again after a change: what changes before the new files are watched makes no event', async () => {
    pdf()
    const { count, next } = await watching()
    const change = next()
    remove('home/skills/pdf/SKILL.md')
    await change
    const first = count()
    await next()
    expect([first, count()]).toEqual([1, 2])
  })

  it('[CAT-4, DISC-9] does not watch what is not trusted, nor report anything after it was closed', async () => {
    pdf()
    const untrusted = await watching({ trusted: false })
    const closed = await watching()
    await open.at(-1)!.close()
    await open.at(-1)!.close()
    const control = await watching()
    const change = control.next()
    skill('home/skills/pdf', 'Two.')
    await change
    expect([untrusted.count(), closed.count()]).toEqual([0, 0])
  })

  it.each([{ by: 'guessing' }, { interval: 0 }, { interval: -1 }, { interval: Number.NaN }, { interval: 2 ** 31 }])(
    '[CAT-4] refuses %o',
    (watch) => {
      expect(() => directorySource({ root, watch: watch as DirectoryWatchOptions })).toThrow(/watch\.(by|interval)/)
      expect(() => directorySource({ root, watch: { by: 'polling', interval: 500 } })).not.toThrow()
    },
  )
})
