import { platform } from 'node:process'
import type { FolderState } from './pin.ts'
import type { LockedSkill, SkillPin } from './skills-lock.ts'

/**
 * What was found of a skill. `unchanged`: every file is as the lock has it. `changed`: see the lists. `missing`: its
 * folder is not there, or is empty. `unpinned`: the lock has no digests of it, as after an addition by another command.
 * `unlocked`: it is there, and not in the lock: any folder or link, hidden ones too, and a SKILL.md beside the folders.
 * What lies in the store's own folder is named with it, as `.repertoire/x`. `unreadable`: see `reason`.
 */
export type VerifiedState = 'unchanged' | 'changed' | 'missing' | 'unpinned' | 'unlocked' | 'unreadable'

/** How the files of a skill differ from its lock, by their paths. */
export interface Differences {
  /** Files with other bytes. */
  readonly edited: readonly string[]
  /** Files that the lock does not have, and entries that cannot be read, such as links. */
  readonly added: readonly string[]
  /** Files that are not there any more. */
  readonly missing: readonly string[]
  /** Files that are executable now and were not, or the other way round. */
  readonly mode: readonly string[]
}

/** A skill compared with its lock. */
export interface VerifiedSkill extends Differences {
  readonly name: string
  readonly state: VerifiedState
  /**
   * Of an unpinned skill: whether its content has the hash that the lock has of it. That says little, since other
   * content may have it too. Absent: the lock has none.
   */
  readonly hashFits?: boolean
  readonly reason?: string
}

export const NO_DIFFERENCE: Differences = { edited: [], added: [], missing: [], mode: [] }

/**
 * Compares what was read of a skill's folder with its entry. A folder without SKILL.md may hold files of the user: it
 * is neither the skill nor empty.
 * @param found undefined: there is no folder
 */
export function compareSkill(
  name: string,
  entry: LockedSkill | undefined,
  found: FolderState | undefined,
): VerifiedSkill {
  if (found === undefined) return { name, state: 'missing', ...NO_DIFFERENCE }
  if (entry === undefined) return { name, state: 'unlocked', ...NO_DIFFERENCE }
  const { repertoire, computedHash } = entry
  const isEmpty = Object.keys(found.files).length + found.unread.length === 0
  if (isEmpty) return { name, state: 'missing', ...NO_DIFFERENCE }
  if (repertoire === undefined && 'SKILL.md' in found.files) {
    const hashFits = computedHash === undefined ? {} : { hashFits: computedHash === found.computedHash }
    return { name, state: 'unpinned', ...NO_DIFFERENCE, ...hashFits }
  }
  const difference = compareFiles(repertoire?.files ?? { 'SKILL.md': { sha256: '' } }, found)
  return { name, state: filesOf(difference).length === 0 ? 'unchanged' : 'changed', ...difference }
}

/** Which files differ from those that a lock has, or is to have. */
export function compareFiles(
  pinned: SkillPin['files'],
  { files, unread }: Pick<FolderState, 'files' | 'unread'> = { files: {}, unread: [] },
): Differences {
  const there = new Map(Object.entries(files))
  const both = Object.entries(pinned).flatMap(([path, pin]) => {
    const file = there.get(path)
    return file === undefined ? [] : [{ path, pin, file }]
  })
  return {
    edited: both.filter(({ pin, file }) => pin.sha256 !== file.sha256).map(({ path }) => path),
    added: [...[...there.keys()].filter((path) => !Object.hasOwn(pinned, path)), ...unread],
    missing: Object.keys(pinned).filter((path) => !there.has(path)),
    // Windows has no such permission.
    mode:
      platform === 'win32'
        ? []
        : both.filter(({ pin, file }) => pin.executable !== file.executable).map(({ path }) => path),
  }
}

/** The paths of all files that differ, sorted. */
export function filesOf({ edited, added, missing, mode }: Differences): readonly string[] {
  return [...new Set([...edited, ...added, ...missing, ...mode])].toSorted()
}

/** The first files that differ, and the number of further ones; empty if no file is known. */
export function namedFiles(difference: Differences): string {
  const most = 5
  const paths = filesOf(difference)
  return paths.slice(0, most).join(', ') + (paths.length > most ? `, and ${paths.length - most} more` : '')
}

/**
 * Whether the files have changed since they were installed, so that replacing them would lose something. Of a
 * skill without digests in the lock, its hash says it, as far as it does.
 */
export function isEdited({ state, hashFits }: VerifiedSkill): boolean {
  return state === 'changed' || state === 'unlocked' || (state === 'unpinned' && hashFits === false)
}
