import { hash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { openRepertoire } from '@repertoire/core'
import type { SkillContent } from '@repertoire/core'
import { directorySource, openSkillFolder } from '@repertoire/core/node'
import { changeSkillsLock, openFileStore, pinSkill, readSkillsLock, verifySkills } from '@repertoire/library'
import type { Answers, LibraryWork } from '../job.ts'

/** What the skills that are saved hold, about as much as published ones. */
const BODY = 'Read the file, then say what is in it.\n'.repeat(150)
/** How many skills a lock has that is verified. */
const LOCKED = 300

/** Own work and bare work by turns, so that both have the same machine. */
type Turns = Record<'own' | 'bare', number[]>

function content(number: number): SkillContent {
  return { manifest: { name: 'written', description: `Number ${number}.` }, body: BODY }
}

/**
 * Times what the library does beside the least that any program does for the same end: written to a file of its own, on
 * the disk, renamed, its folder on the disk; or read, with the SHA-256 of every file.
 * @param root a tree of skills, which is only read
 * @param count how many writes, and how many reads of one skill
 */
export async function timeLibrary(root: string, count: number): Promise<Answers['library']> {
  const folder = mkdtempSync(join(dirname(root), 'library-'))
  const store = await openFileStore({ root: join(folder, 'skills'), layer: 'personal' })
  const stored = await openFileStore({ root, layer: 'personal' })
  const { catalog } = await openRepertoire({ sources: [stored] })
  const listed = catalog.list().map(({ name, path }) => ({ name, folder: path.split('/').at(-2)! }))
  await store.save(content(0))
  mkdirSync(join(folder, 'bare'))
  const manifest = join(folder, 'skills', 'written', 'SKILL.md')
  const locked = readdirSync(root).toSorted().slice(0, LOCKED)
  await lockAll(folder, root, locked)
  const lock = await readSkillsLock(folder)
  const lockPath = join(folder, 'skills-lock.json')

  const work: Readonly<Record<LibraryWork, Readonly<Record<'own' | 'bare', (turn: number) => unknown>>>> = {
    save: {
      own: (turn) => store.save(content(turn)),
      bare: () => writeDurably(join(folder, 'bare', 'SKILL.md'), readFileSync(manifest)),
    },
    saveResource: {
      own: (turn) => store.saveResource('written', 'references/guide.md', `${turn}\n${BODY}`),
      bare: (turn) => writeDurably(join(folder, 'bare', 'guide.md'), Buffer.from(`${turn}\n${BODY}`)),
    },
    scan: {
      own: () => openRepertoire({ sources: [stored] }),
      bare: () => openRepertoire({ sources: [directorySource({ root, layer: 'personal' })] }),
    },
    load: {
      own: (turn) => stored.get(listed[turn % listed.length]!.name),
      bare: (turn) => readHashed(join(root, listed[turn % listed.length]!.folder)),
    },
    verify: {
      own: () => verifySkills({ lock, folder: root }),
      bare: () => locked.forEach((name) => readHashed(join(root, name))),
    },
    changeLock: {
      own: (turn) =>
        changeSkillsLock(folder, (skills) => void skills.set('added', { source: `${turn}`, sourceType: 'git' })),
      bare: (turn) => {
        const value = JSON.parse(readFileSync(lockPath, 'utf8')) as { skills: Record<string, unknown> }
        value.skills['added'] = { source: `bare ${turn}`, sourceType: 'git' }
        writeDurably(lockPath, Buffer.from(`${JSON.stringify(value, null, 2)}\n`))
      },
    },
  }
  const answers: Partial<Record<LibraryWork, Turns>> = {}
  for (const name of Object.keys(work) as LibraryWork[]) {
    const { own, bare } = work[name]
    const turns: Turns = { own: [], bare: [] }
    const isWhole = name === 'scan' || name === 'verify'
    for (let turn = 0; turn < (isWhole ? Math.min(count, 8) : count); turn++) {
      turns.own.push(await timed(() => own(turn)))
      turns.bare.push(await timed(() => bare(turn)))
    }
    answers[name] = turns
  }
  return answers as Answers['library']
}

async function lockAll(folder: string, root: string, names: readonly string[]): Promise<void> {
  const pins = new Map<string, Awaited<ReturnType<typeof pinSkill>>>()
  for (const name of names) pins.set(name, await pinSkill(openSkillFolder(join(root, name)), '0'.repeat(40)))
  await changeSkillsLock(folder, (skills) => {
    for (const [name, pin] of pins) skills.set(name, { source: 'example/skills', sourceType: 'github', ...pin })
  })
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function writeDurably(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.new`
  withDescriptor(temporary, 'w', (descriptor) => {
    writeFileSync(descriptor, bytes)
    fsyncSync(descriptor)
  })
  renameSync(temporary, path)
  withDescriptor(dirname(path), 'r', fsyncSync)
}

function withDescriptor(path: string, flags: string, work: (descriptor: number) => void): void {
  const descriptor = openSync(path, flags)
  try {
    work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function readHashed(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) hash('sha256', readFileSync(join(entry.parentPath, entry.name)))
  }
}
