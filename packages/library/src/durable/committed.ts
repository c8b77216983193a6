import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { openPinnedFolder } from '@repertoire/core/node'
import { LOCK_NAME } from '../lock/skills-lock.ts'
import type { Commitment } from './journal.ts'
import { readFileIn, withFolder } from './open-folder.ts'
import { systemCodeOf } from '../system-code.ts'

/** The digest of an entry as a commitment has it. Keys keep their order in every program that writes a lock. */
export function entryDigest(entry: unknown): string {
  return createHash('sha256').update(JSON.stringify(entry)).digest('hex')
}

/**
 * Whether the lock has what a change was to write. A lock that is torn has nothing of it; entries of other skills, which
 * somebody has written meanwhile, do not matter.
 * @param root the folder with the skills
 */
export function isCommitted(root: string, { project, entries }: Commitment): boolean {
  const skills = skillsIn(resolve(root, project))
  return Object.entries(entries).every(([name, digest]) => {
    const entry = skills.get(name)
    return entry === undefined ? digest === null : entryDigest(entry) === digest
  })
}

function skillsIn(project: string): ReadonlyMap<string, unknown> {
  try {
    const folder = openPinnedFolder(realpathSync.native(project))
    const text = String(withFolder(folder, () => readFileIn(folder, LOCK_NAME, Infinity)))
    const { skills } = JSON.parse(text) as { readonly skills: object }
    return new Map(Object.entries(skills))
  } catch (error) {
    // What cannot be read now may be there later: nothing is undone on that ground.
    if (isOfSystem(error)) throw error
    return new Map()
  }
}

function isOfSystem(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'].includes(systemCodeOf(error))
}
