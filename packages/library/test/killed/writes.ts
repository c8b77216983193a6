import { join } from 'node:path'
import { isSkillError } from '@repertoire/core'
import type { SkillStore } from '@repertoire/core'
import {
  applyPlan,
  changeSkillsLock,
  findLeftovers,
  openFileStore,
  planAdd,
  readSkillsLock,
  recoverProject,
} from '@repertoire/library'
import { filesOf, instruction } from '../../src/testing/case.ts'
import { originOf } from '../install/project.ts'

/** Paths that a writer asks for before and after its write. */
export const BEGIN = '/repertoire-begin'
export const END = '/repertoire-end'

/** The state of a skill that is in no place, and says so. */
export const REPORTED = 'reported'

/** A write, with what is there before it. */
interface Write {
  readonly prepare: (root: string) => Promise<unknown>
  readonly write: (root: string) => Promise<unknown>
  /** Opens what is there once, and returns a function that reads it and repairs nothing. */
  readonly reader: (root: string) => Promise<() => Promise<string>>
  /** Does what the command "recover" does, and returns what is left over all the same. */
  readonly recover: (root: string) => Promise<readonly string[]>
}

const layer = 'personal'
const SKILLS = '.agents/skills'
const open = (root: string): Promise<SkillStore> => openFileStore({ root: join(root, SKILLS), layer })
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
    recover,
  }
}

/** The revision, which is a digest of every file; or that a skill has left its place, with the command. */
async function stateOf(store: SkillStore): Promise<string> {
  try {
    return (await store.get('pdf')).revision
  } catch (error) {
    if (isSkillError(error) && error.code === 'SKILL_NOT_FOUND') return 'nothing'
    if (isSkillError(error) && error.message.includes('"repertoire recover"')) return REPORTED
    throw error
  }
}

async function recover(root: string): Promise<readonly string[]> {
  await recoverProject({ project: root })
  return (await findLeftovers({ project: root })).map(({ path }) => path)
}

const install = async (root: string, skills: Parameters<typeof originOf>[0], revision: string): Promise<void> => {
  await applyPlan(await planAdd({ project: root, origins: [originOf(skills, { revision: revision.repeat(40) })] }))
}

/** Every kind of write of this package. */
const KINDS = {
  'save of a new skill': toStore((store) => store.save(instruction('pdf', 'New.\n')), 'other'),
  save: toStore((store) => store.save(instruction('pdf', 'New.\n'))),
  saveResource: toStore((store) => store.saveResource('pdf', 'x/b.md', 'new')),
  replace: toStore((store) => store.replace('pdf', NEW)),
  delete: toStore((store) => store.delete('pdf')),
  applyPlan: {
    prepare: (root) => install(root, { pdf: { 'a.md': 'old' } }, 'a'),
    write: (root) => install(root, { pdf: { 'a.md': 'new' } }, 'b'),
    async reader(root) {
      const store = await open(root)
      return () => stateOf(store)
    },
    recover,
  },
  changeSkillsLock: {
    prepare: (root) => changeSkillsLock(root, (skills) => void skills.set('old', ENTRY)),
    write: (root) => changeSkillsLock(root, (skills) => void skills.set('new', ENTRY)),
    reader: (root) => Promise.resolve(async () => [...(await readSkillsLock(root)).skills.keys()].join()),
    recover,
  },
} satisfies Readonly<Record<string, Write>>

export const WRITES: ReadonlyMap<string, Write> = new Map(Object.entries(KINDS))
