import type { SkillFiles, StoredFile } from '@repertoire/core'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { isPrivateMark, privateMark } from './private-state.ts'
import type { WritingSystem } from './system.ts'

const FILE_MODE = 0o644
const PROGRAM_MODE = 0o755
const PERMISSIONS = 0o777
export const ANYBODY_RUNS = 0o111
export const OWNER_MAY_CHANGE = 0o700

/** The folder for what is being written, beside the skills. Hidden, so that no scan searches it. */
export const STATE_FOLDER = '.repertoire'

/** How deep a tree is entered at once: as deep as a listing looks. */
const MAX_LEVELS = 16

/** The names of what is being written, and of what was replaced, in the store's own folder. */
const LEFTOVER = /^(?:staged|former)-[\da-f-]{36}$/

/** @param root the real path of the folder that is written to */
export function stagedName(root: string): string {
  return `staged-${privateMark(root)}`
}

export function formerName(root: string): string {
  return `former-${privateMark(root)}`
}

/** Whether this user's programs have left an entry there. Others may have come with the folder. */
export function isOwnLeftover(root: string, name: string): boolean {
  return isLeftover(name) && isPrivateMark(root, name.slice('staged-'.length))
}

/** Whether an entry is there only while something is written. */
export function isLeftover(name: unknown): name is string {
  return typeof name === 'string' && LEFTOVER.test(name)
}

/** Whether it is something that was being written, and is in no skill's place. */
export function isStaged(name: string): boolean {
  return isLeftover(name) && name.startsWith('staged-')
}

/** A file to be written. */
export interface StagedFile extends StoredFile {
  /** Its permissions. Default: everybody may read it, and run it if it is executable. */
  readonly mode?: number
}

/** Writes a file that is complete, and on the disk, when this returns. */
export function stageFile(
  system: WritingSystem,
  folder: OpenFolder,
  name: string,
  { bytes, executable, mode = executable === true ? PROGRAM_MODE : FILE_MODE }: StagedFile,
): void {
  folder.at(name, (path) => {
    const descriptor = system.createFile(path, mode)
    try {
      system.write(descriptor, bytes)
      system.setMode(descriptor, mode)
      system.sync(descriptor)
    } finally {
      system.close(descriptor)
    }
  })
}

/** Writes a folder with all its files. @param mode its permissions. Default: what the process gives */
export function stageFolder(
  system: WritingSystem,
  parent: OpenFolder,
  name: string,
  files: SkillFiles,
  mode?: number,
): void {
  parent.at(name, (path) => system.makeFolder(path))
  const folder = parent.folder(name)
  try {
    if (mode !== undefined) folder.at('.', (path) => system.setFolderMode(path, mode))
    const below = new Map<string, Map<string, StoredFile>>()
    for (const [path, file] of files) {
      const [first = '', ...rest] = path.split('/')
      if (rest.length === 0) stageFile(system, folder, first, file)
      else below.set(first, (below.get(first) ?? new Map<string, StoredFile>()).set(rest.join('/'), file))
    }
    for (const [part, inside] of below) stageFolder(system, folder, part, inside)
    syncFolder(system, folder)
  } finally {
    folder.close()
  }
}

/** Returns when the entries of a folder are on the disk. */
export function syncFolder(system: WritingSystem, folder: OpenFolder): void {
  folder.at('.', (path) => system.syncFolder(path))
}

/**
 * Opens a folder. Creates it first if the name is free.
 * @param synced when its entry is brought to the disk. `made`: only if it was made now, so that the caller does it where
 * one that was ended between the two could matter
 */
export function openOrMake(
  system: WritingSystem,
  parent: OpenFolder,
  name: string,
  synced: 'always' | 'made' = 'always',
): OpenFolder {
  const isMade = parent.at(name, (path) => {
    try {
      system.makeFolder(path)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return false
    }
  })
  if (isMade || synced === 'always') syncFolder(system, parent)
  return parent.folder(name)
}

/**
 * Removes a file, a link, or a folder with everything in it. Links are removed and never followed. A folder far below is
 * moved up first, under a name of this package's own: each level that is entered keeps a descriptor.
 * @param root the real path of the folder that is written to
 */
export function removeTree(system: WritingSystem, root: string, parent: OpenFolder, name: string): void {
  const moved = [name]
  for (const each of moved)
    removeLevels(system, parent, each, MAX_LEVELS, (folder, entry) => {
      const up = stagedName(root)
      folder.at(entry, (from) => parent.at(up, (to) => system.rename(from, to)))
      moved.push(up)
    })
}

function removeLevels(
  system: WritingSystem,
  parent: OpenFolder,
  name: string,
  levels: number,
  moveUp: (folder: OpenFolder, name: string) => void,
): void {
  if (!parent.stat(name).isDirectory()) return parent.at(name, (path) => system.removeFile(path))
  if (levels === 0) return moveUp(parent, name)
  const folder = parent.folder(name)
  try {
    // The owner may empty a folder even if its permissions forbid it.
    if ((parent.stat(name).mode & OWNER_MAY_CHANGE) !== OWNER_MAY_CHANGE) {
      folder.at('.', (path) => system.setFolderMode(path, OWNER_MAY_CHANGE))
    }
    for (const entry of folder.entries()) removeLevels(system, folder, entry.name, levels - 1, moveUp)
  } finally {
    folder.close()
  }
  parent.at(name, (path) => system.removeFolder(path))
}

/** Whether something of that name is there: anything, a link too. */
export function exists(folder: OpenFolder, name: string): boolean {
  try {
    folder.stat(name)
    return true
  } catch (error) {
    if (error instanceof OpenError && error.kind === 'missing') return false
    throw error
  }
}

/** The permissions of an entry and whether it is executable; undefined if nothing of that name is there. */
export function permissionsOf(
  folder: OpenFolder,
  name: string,
): { readonly mode: number; readonly executable: boolean } | undefined {
  try {
    const { mode } = folder.stat(name)
    return { mode: mode & PERMISSIONS, executable: (mode & ANYBODY_RUNS) !== 0 }
  } catch (error) {
    if (error instanceof OpenError && error.kind === 'missing') return undefined
    throw error
  }
}
