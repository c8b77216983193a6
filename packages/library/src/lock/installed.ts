import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { showName, SkillError } from '@repertoire/core'
import { STATE_FOLDER } from '@repertoire/core/node'
import { readSteadily } from '../store/write-store.ts'
import { compareSkill, type VerifiedSkill } from './compare.ts'
import { folderNameOf } from './folder-name.ts'
import { stateOnDisk, type FolderState } from './pin.ts'
import { type LockedSkill, nameProblem } from './skills-lock.ts'

/** What is there of a skill. */
export interface Installed {
  readonly found: VerifiedSkill
  /** Undefined: it has no folder. */
  readonly state: FolderState | undefined
}

/**
 * Reads a skill's folder, and compares it with its entry.
 * @throws {SkillError} RESOURCE_REFUSED: in the place of its folder is a link, a file or something else
 */
export async function readInstalled(folder: string, name: string, entry: LockedSkill | undefined): Promise<Installed> {
  const read = async (): Promise<Installed> => {
    const state = await stateIn(folder, name)
    return { found: compareSkill(name, entry, state), state }
  }
  return readSteadily(folder, folderNameOf(name), read, ({ found }) => found.state === 'unchanged')
}

/**
 * What a skill's folder holds now; undefined: it has none, or its name, such as "..", leads elsewhere.
 * @throws {SkillError} RESOURCE_REFUSED: something else is there, and would be replaced by a folder
 */
export async function stateIn(folder: string, name: string): Promise<FolderState | undefined> {
  const path = join(folder, folderNameOf(name))
  const stats = nameProblem(name) === undefined ? lstatSync(path, { throwIfNoEntry: false }) : undefined
  if (stats === undefined) return undefined
  if (stats.isDirectory()) return stateOnDisk(path)
  const what = stats.isSymbolicLink() ? 'is a link, and is not followed' : 'is not a folder'
  const message = `${showName(path)} ${what}. Move it away: a skill's folder belongs there.`
  throw new SkillError('RESOURCE_REFUSED', message, { path })
}

/** Everything that some client could load as a skill: also below the store's own folder, which has none itself. */
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
