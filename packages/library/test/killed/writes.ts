import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isSkillError } from '@repertoire/core'
import type { SkillStore } from '@repertoire/core'
import { changeSkillsLock, openFileStore, readSkillsLock } from '@repertoire/library'
import { filesOf, instruction } from '../../src/testing/case.ts'

/** Paths that a writer asks for before and after its write. */
export const BEGIN = '/repertoire-begin'
export const END = '/repertoire-end'

/** A write, with what is there before it. */
interface Write {
  readonly prepare: (root: string) => Promise<unknown>
  readonly write: (root: string) => Promise<unknown>
  /** Opens what is there once, and returns a function that reads it and repairs nothing. */
  readonly reader: (root: string) => Promise<() => Promise<string>>
  /** Opens what is there as the next writer does, and returns what is left over all the same. */
  readonly sweep: (root: string) => Promise<readonly string[]>
}

const layer = 'personal'
const open = (root: string): Promise<SkillStore> => openFileStore({ root, layer })
const OLD = filesOf('pdf', { 'a/a.md': 'old', 'b.md': 'old' })
const NEW = filesOf('pdf', { 'a/a.md': 'new', 'c.md': 'new' })
const ENTRY = { source: 'a/b', sourceType: 'git' }

function toStore(write: (store: SkillStore) => Promise<unknown>, name = 'pdf'): Write {
  return {
    prepare: async (root) => (await open(root)).replace(name, name === 'pdf' ? OLD : filesOf(name)),
    write: async (root) => write(await open(root)),
    async reader(root) {
      const store = await open(root)
      return () => stateOf(store)
    },
    async sweep(root) {
      await open(root)
      const own = readdirSync(join(root, '.repertoire')).filter((each) => each !== 'lock' && each !== 'journal.json')
      return [...own, ...readdirSync(root).filter((each) => !['.repertoire', 'pdf', 'other'].includes(each))]
    },
  }
}

/** The revision, which is a digest of every file, and whether a scan finds the skill. */
async function stateOf(store: SkillStore): Promise<string> {
  try {
    return (await store.get('pdf')).revision
  } catch (error) {
    if (isSkillError(error) && error.code === 'SKILL_NOT_FOUND') return 'nothing'
    throw error
  }
}

/** Every kind of write of this package. */
const KINDS = {
  'save of a new skill': toStore((store) => store.save(instruction('pdf', 'New.\n')), 'other'),
  save: toStore((store) => store.save(instruction('pdf', 'New.\n'))),
  saveResource: toStore((store) => store.saveResource('pdf', 'x/b.md', 'new')),
  replace: toStore((store) => store.replace('pdf', NEW)),
  delete: toStore((store) => store.delete('pdf')),
  changeSkillsLock: {
    prepare: (root) => changeSkillsLock(root, (skills) => void skills.set('old', ENTRY)),
    write: (root) => changeSkillsLock(root, (skills) => void skills.set('new', ENTRY)),
    reader: (root) => Promise.resolve(async () => [...(await readSkillsLock(root)).skills.keys()].join()),
    async sweep(root) {
      await changeSkillsLock(root, () => {})
      return readdirSync(root).filter((name) => name !== 'skills-lock.json')
    },
  },
} satisfies Readonly<Record<string, Write>>

export const WRITES: ReadonlyMap<string, Write> = new Map(Object.entries(KINDS))
