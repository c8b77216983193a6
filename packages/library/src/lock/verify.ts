import { anyText, checkOptions, listOf, type OptionTable } from '@repertoire/core/options'
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { platform } from 'node:process'
import { isSkillError } from '@repertoire/core'
import { STATE_FOLDER } from '@repertoire/core/node'
import { findProject, PROJECT_OPTIONS, type ProjectOptions } from '../install/project.ts'
import { readSteadily } from '../store/write-store.ts'
import { isSystemError } from '../system-code.ts'
import { folderNameOf, lockedName } from './folder-name.ts'
import { readSkillsLock } from './lock-file.ts'
import { stateOnDisk, type FolderState } from './pin.ts'
import type { LockedSkill, PinnedFile } from './skills-lock.ts'

/**
 * What was found of a skill. `unchanged`: every file is as the lock has it. `changed`: see the lists. `missing`: its folder is
 * not there, or has no SKILL.md. `unpinned`: the lock has no digests of it, as after an addition by another command.
 * `unlocked`: it is there, and not in the lock: any folder or link, hidden ones too, and a SKILL.md beside the folders. What
 * lies in the store's own folder is named with it, as `.repertoire/x`.
 * `unreadable`: see `reason`.
 */
export type VerifiedState = 'unchanged' | 'changed' | 'missing' | 'unpinned' | 'unlocked' | 'unreadable'

/** A skill compared with its lock. */
export interface VerifiedSkill {
  readonly name: string
  readonly state: VerifiedState
  /** Files with other bytes. */
  readonly edited: readonly string[]
  /** Files that the lock does not have, and entries that cannot be read, such as links. */
  readonly added: readonly string[]
  /** Files that are not there any more. */
  readonly missing: readonly string[]
  /** Files that are executable now and were not, or the other way round. */
  readonly mode: readonly string[]
  /**
   * Of an unpinned skill: whether its content has the hash that the lock has of it. That says little, since other content
   * may have it too. Absent: the lock has none.
   */
  readonly hashFits?: boolean
  readonly reason?: string
}

/** Options of `verifySkills`. */
export interface VerifyOptions extends ProjectOptions {
  /** The names of the skills to compare. Default: all of the lock and of the folder. */
  readonly skills?: readonly string[] | undefined
}

/** The result of `verifySkills`. */
export interface Verification {
  /** Whether every skill is unchanged, and none is unknown. */
  readonly ok: boolean
  /** Those of the lock and those of the folder, by name. */
  readonly skills: readonly VerifiedSkill[]
  /** Names that were asked for, and that neither has. */
  readonly unknown: readonly string[]
}

const OPTIONS: OptionTable<VerifyOptions> = {
  ...PROJECT_OPTIONS,
  skills: listOf(anyText, 'a list of skill names'),
}

const NO_DIFFERENCE = { edited: [], added: [], missing: [], mode: [] } as const

/**
 * Compares the skills of a project with its lock. It only reads, and asks no network.
 * @throws {SkillError} LOCK_INVALID; STORE_CONFLICT: the lock has skills in several folders; RESOURCE_NOT_FOUND: there is no
 * such project; RESOURCE_REFUSED: it, or a folder on the way to its skills, is a file or a link
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export async function verifySkills(options: VerifyOptions): Promise<Verification> {
  checkOptions('verifySkills', OPTIONS, options)
  const { skills: asked } = options
  const { project, folder } = await findProject(options)
  const lock = await readSkillsLock(project)
  const locked = new Set([...lock.skills.keys()].map(folderNameOf))
  const all = new Set([...lock.skills.keys(), ...skillsIn(folder).filter((name) => !locked.has(name))])
  const names =
    asked === undefined ? all : new Set(asked.map((name) => lockedName(all, name)).filter((name) => name !== undefined))
  const unknown = (asked ?? []).filter((name) => lockedName(all, name) === undefined)
  const skills: VerifiedSkill[] = []
  for (const name of [...names].toSorted()) {
    const read = (): Promise<VerifiedSkill> => verifySkill(folder, name, lock.skills.get(name))
    skills.push(await readSteadily(folder, folderNameOf(name), read, ({ state }) => state === 'unchanged'))
  }
  return { ok: unknown.length === 0 && skills.every(({ state }) => state === 'unchanged'), skills, unknown }
}

/** Compares one skill with its entry. What the lock does not have is not read. */
async function verifySkill(folder: string, name: string, entry: LockedSkill | undefined): Promise<VerifiedSkill> {
  if (entry === undefined) return { name, state: 'unlocked', ...NO_DIFFERENCE }
  const link = [folder, join(folder, folderNameOf(name))].find(isLink)
  if (link !== undefined) {
    const reason = `${link} is a link, and is not followed. Put a folder there.`
    return { name, state: 'unreadable', ...NO_DIFFERENCE, reason }
  }
  let found: FolderState
  try {
    found = await stateOnDisk(join(folder, folderNameOf(name)))
  } catch (error) {
    if (!isSkillError(error)) throw error
    if (error.code === 'RESOURCE_NOT_FOUND') return { name, state: 'missing', ...NO_DIFFERENCE }
    return { name, state: 'unreadable', ...NO_DIFFERENCE, reason: error.message }
  }
  return compareSkill(name, entry, found)
}

/** Compares what was read of a skill's folder with its entry. */
export function compareSkill(name: string, entry: LockedSkill | undefined, found: FolderState): VerifiedSkill {
  if (entry === undefined) return { name, state: 'unlocked', ...NO_DIFFERENCE }
  const { repertoire, computedHash } = entry
  if (!('SKILL.md' in found.files)) return { name, state: 'missing', ...NO_DIFFERENCE }
  if (repertoire === undefined) {
    const hashFits = computedHash === undefined ? {} : { hashFits: computedHash === found.computedHash }
    return { name, state: 'unpinned', ...NO_DIFFERENCE, ...hashFits }
  }
  const difference = compare(new Map(Object.entries(repertoire.files)), found)
  const isSame = Object.values(difference).every((paths) => paths.length === 0)
  return { name, state: isSame ? 'unchanged' : 'changed', ...difference }
}

/** Which files differ. */
export function compare(
  pinned: ReadonlyMap<string, PinnedFile>,
  { files, unread }: Pick<FolderState, 'files' | 'unread'>,
): Pick<VerifiedSkill, 'edited' | 'added' | 'missing' | 'mode'> {
  const there = new Map(Object.entries(files))
  const both = [...pinned].flatMap(([path, pin]) => {
    const file = there.get(path)
    return file === undefined ? [] : [{ path, pin, file }]
  })
  return {
    edited: both.filter(({ pin, file }) => pin.sha256 !== file.sha256).map(({ path }) => path),
    added: [...[...there.keys()].filter((path) => !pinned.has(path)), ...unread],
    missing: [...pinned.keys()].filter((path) => !there.has(path)),
    // Windows has no such permission.
    mode:
      platform === 'win32'
        ? []
        : both.filter(({ pin, file }) => pin.executable !== file.executable).map(({ path }) => path),
  }
}

/** Everything that some client could load as a skill: also below the store's own folder, which holds no skills of its own. */
export function skillsIn(folder: string): readonly string[] {
  const inState = loadableIn(join(folder, STATE_FOLDER)).filter((name) => !/^(?:old|new|gone)-/.test(name))
  return [
    ...loadableIn(folder).filter((name) => name !== STATE_FOLDER),
    ...inState.map((name) => `${STATE_FOLDER}/${name}`),
  ]
}

function loadableIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink() || /^skill\.md$/i.test(entry.name))
      .map(({ name }) => name)
  } catch {
    return []
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
}
