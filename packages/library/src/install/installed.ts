import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { isSkillError } from '@repertoire/core'
import { openSkillFolder } from '@repertoire/core/node'
import { folderNameOf } from '../lock/folder-name.ts'
import { stateOf } from '../lock/pin.ts'
import type { FolderState } from '../lock/pin.ts'
import type { LockedSkill, PinnedFile } from '../lock/skills-lock.ts'
import { compare, compareSkill } from '../lock/verify.ts'
import type { VerifiedSkill } from '../lock/verify.ts'

/** What is there of a skill when a plan is made. */
export interface Installed {
  readonly found: VerifiedSkill
  /** Undefined: it has no folder. */
  readonly state: FolderState | undefined
  /** Changes with every file. Undefined: it has no folder. */
  readonly fingerprint: string | undefined
}

/** Reads a skill's folder, and compares it with its entry. @throws {SkillError} RESOURCE_REFUSED: its folder is a link */
export async function readInstalled(folder: string, name: string, entry: LockedSkill | undefined): Promise<Installed> {
  const state = await stateIn(folder, name)
  const found: VerifiedSkill =
    state === undefined
      ? { name, state: 'missing', edited: [], added: [], missing: [], mode: [] }
      : compareSkill(name, entry, state)
  return { found, state, fingerprint: state && fingerprintOf(state) }
}

/** The fingerprint of what a skill's folder holds now; undefined: it has none. */
export async function fingerprintIn(folder: string, name: string): Promise<string | undefined> {
  const state = await stateIn(folder, name)
  return state && fingerprintOf(state)
}

async function stateIn(folder: string, name: string): Promise<FolderState | undefined> {
  try {
    return await stateOf(openSkillFolder(join(folder, folderNameOf(name))))
  } catch (error) {
    if (isSkillError(error) && error.code === 'RESOURCE_NOT_FOUND') return undefined
    throw error
  }
}

function fingerprintOf({ files, unread }: FolderState): string {
  return createHash('sha256')
    .update(JSON.stringify([Object.entries(files), unread]))
    .digest('hex')
}

/**
 * Whether somebody has changed the files since they were installed, so that replacing them would lose something. Of a skill
 * without digests in the lock, its hash says it, as far as it does.
 */
export function isEdited({ state, hashFits }: VerifiedSkill): boolean {
  return state === 'changed' || state === 'unlocked' || (state === 'unpinned' && hashFits === false)
}

/** The files in which two states differ, by path. */
export function differences(
  files: Readonly<Record<string, PinnedFile>>,
  there: FolderState | undefined,
): readonly string[] {
  const difference = compare(new Map(Object.entries(files)), there ?? { files: {}, unread: [] })
  return [...new Set(filesOf(difference))].toSorted()
}

/** The first files that differ, and how many more there are; empty where none is known. */
export function namedFiles(difference: Difference): string {
  const most = 5
  const paths = filesOf(difference)
  return paths.slice(0, most).join(', ') + (paths.length > most ? `, and ${paths.length - most} more` : '')
}

type Difference = Pick<VerifiedSkill, 'edited' | 'added' | 'missing' | 'mode'>

function filesOf({ edited, added, missing, mode }: Difference): readonly string[] {
  return [...edited, ...added, ...missing, ...mode]
}
