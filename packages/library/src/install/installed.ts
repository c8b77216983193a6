import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { isSkillError, showName, SkillError } from '@repertoire/core'
import { folderNameOf } from '../lock/folder-name.ts'
import { stateOnDisk, type FolderState } from '../lock/pin.ts'
import type { LockedSkill, PinnedFile } from '../lock/skills-lock.ts'
import { compare, compareSkill, type VerifiedSkill } from '../lock/verify.ts'
import { readSteadily } from '../store/write-store.ts'

/** What is there of a skill when a plan is made. */
export interface Installed {
  readonly found: VerifiedSkill
  /** Undefined: it has no folder. */
  readonly state: FolderState | undefined
  /** Changes with every file. Undefined: it has no folder. */
  readonly fingerprint: string | undefined
}

/**
 * Reads a skill's folder, and compares it with its entry.
 * @throws {SkillError} RESOURCE_REFUSED: in the place of its folder is a link, a file or something else
 */
export async function readInstalled(folder: string, name: string, entry: LockedSkill | undefined): Promise<Installed> {
  const read = async (): Promise<Installed> => {
    const state = await stateIn(folder, name)
    return { found: foundOf(name, entry, state), state, fingerprint: state && fingerprintOf(state) }
  }
  return readSteadily(folder, folderNameOf(name), read, ({ found }) => found.state === 'unchanged')
}

/** A folder without SKILL.md may hold files of the user. It is neither the skill nor empty. */
function foundOf(name: string, entry: LockedSkill | undefined, state: FolderState | undefined): VerifiedSkill {
  if (state === undefined) return { name, state: 'missing', edited: [], added: [], missing: [], mode: [] }
  const found = compareSkill(name, entry, state)
  const isEmpty = Object.keys(state.files).length === 0 && state.unread.length === 0
  if (found.state !== 'missing' || isEmpty) return found
  const difference = compare(new Map(Object.entries(entry?.repertoire?.files ?? {})), state)
  const missing = [...new Set(['SKILL.md', ...difference.missing])]
  return { ...found, state: 'changed', ...difference, missing }
}

/** The fingerprint of what a skill's folder holds now; undefined: it has none. */
export async function fingerprintIn(folder: string, name: string): Promise<string | undefined> {
  const state = await stateIn(folder, name)
  return state && fingerprintOf(state)
}

async function stateIn(folder: string, name: string): Promise<FolderState | undefined> {
  try {
    return await stateOnDisk(join(folder, folderNameOf(name)))
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'RESOURCE_NOT_FOUND') throw error
    refuseInPlace(join(folder, folderNameOf(name)))
    return undefined
  }
}

/** What is not a folder would be replaced by one. @throws {SkillError} RESOURCE_REFUSED */
function refuseInPlace(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== false) return
  const message = `Nothing was written: ${showName(path)} is not a folder, and a skill's folder belongs there. Move it away.`
  throw new SkillError('RESOURCE_REFUSED', message, { path })
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

/** The paths of the files that differ between two states. */
export function differences(
  files: Readonly<Record<string, PinnedFile>>,
  there: FolderState | undefined,
): readonly string[] {
  const difference = compare(new Map(Object.entries(files)), there ?? { files: {}, unread: [] })
  return [...new Set(filesOf(difference))].toSorted()
}

/** The first files that differ, and the number of further ones; empty if no file is known. */
export function namedFiles(difference: Difference): string {
  const most = 5
  const paths = filesOf(difference)
  return paths.slice(0, most).join(', ') + (paths.length > most ? `, and ${paths.length - most} more` : '')
}

type Difference = Pick<VerifiedSkill, 'edited' | 'added' | 'missing' | 'mode'>

function filesOf({ edited, added, missing, mode }: Difference): readonly string[] {
  return [...edited, ...added, ...missing, ...mode]
}
