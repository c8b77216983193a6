import { createHash } from 'node:crypto'
import { closeSync, readFileSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { openPinnedFolder, type OpenFolder } from '@repertoire/core/node'
import { LOCK_NAME } from '../lock/skills-lock.ts'
import type { Commitment } from './journal.ts'
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
  let folder: OpenFolder | undefined
  try {
    folder = openPinnedFolder(realpathSync.native(project))
    const { fd } = folder.file(LOCK_NAME)
    try {
      const { skills } = JSON.parse(readFileSync(fd, 'utf8')) as { readonly skills: object }
      return new Map(Object.entries(skills))
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    // What cannot be read now may be there later: nothing is undone on that ground.
    if (isOfSystem(error)) throw error
    return new Map()
  } finally {
    folder?.close()
  }
}

function isOfSystem(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EIO', 'EMFILE', 'ENFILE'].includes(systemCodeOf(error))
}
