import { randomUUID } from 'node:crypto'
import type { SkillFiles, StoredFile } from '@repertoire/core'
import { OpenFailure } from '@repertoire/core/node'
import type { OpenFolder } from '@repertoire/core/node'
import type { WritingSystem } from './system.ts'

const FILE_MODE = 0o644
const PROGRAM_MODE = 0o755

/** The names of what is being written, and of what was replaced, in the store's own folder. */
const LEFTOVER = /^(?:staged|former)-[\da-f-]{36}$/

export function stagedName(): string {
  return `staged-${randomUUID()}`
}

export function formerName(): string {
  return `former-${randomUUID()}`
}

/** Whether an entry is there only while something is written. */
export function isLeftover(name: unknown): name is string {
  return typeof name === 'string' && LEFTOVER.test(name)
}

/** Whether it is something that was being written, and is in no skill's place. */
export function isStaged(name: string): boolean {
  return isLeftover(name) && name.startsWith('staged-')
}

/** Writes a file that is complete, and on the disk, when this returns. */
export function stageFile(
  system: WritingSystem,
  folder: OpenFolder,
  name: string,
  { bytes, executable }: StoredFile,
): void {
  const mode = executable === true ? PROGRAM_MODE : FILE_MODE
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

/** Writes a folder with all its files. */
export function stageFolder(system: WritingSystem, parent: OpenFolder, name: string, files: SkillFiles): void {
  parent.at(name, (path) => system.makeFolder(path))
  const folder = parent.folder(name)
  try {
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

/** Opens a folder, and makes it first where there is nothing of that name. */
export function openOrMake(system: WritingSystem, parent: OpenFolder, name: string): OpenFolder {
  parent.at(name, (path) => {
    try {
      system.makeFolder(path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  })
  syncFolder(system, parent)
  return parent.folder(name)
}

/** Removes a file, a link, or a folder with everything in it. Links are removed and never followed. */
export function removeTree(system: WritingSystem, parent: OpenFolder, name: string): void {
  if (!isFolder(parent, name)) return parent.at(name, (path) => system.removeFile(path))
  const folder = parent.folder(name)
  try {
    for (const entry of folder.entries()) removeTree(system, folder, entry.name)
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
    if (error instanceof OpenFailure && error.kind === 'missing') return false
    throw error
  }
}

function isFolder(parent: OpenFolder, name: string): boolean {
  return parent.stat(name).isDirectory()
}
