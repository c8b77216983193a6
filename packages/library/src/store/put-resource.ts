import { SkillError, type StoredFile } from '@repertoire/core'
import { isSameName } from '@repertoire/core/stores'
import { OpenError, type OpenFolder } from '@repertoire/core/node'
import { ANYBODY_RUNS, exists, openOrMake, permissionsOf } from '../durable/staging.ts'
import { putFile, type StoreFolders } from '../durable/swap.ts'

/** Puts a file into a skill's folder, part by part, through no link. */
export function putResource(folders: StoreFolders, skill: string, parts: readonly string[], file: StoredFile): void {
  const { system, root } = folders
  refuseOtherSpellings(root, skill)
  const opened = [root.folder(skill)]
  try {
    for (const part of parts.slice(0, -1)) {
      const folder = opened.at(-1)!
      refuseOtherSpellings(folder, part)
      opened.push(openOrMake(system, folder, part))
    }
    const folder = opened.at(-1)!
    const name = parts.at(-1)!
    refuseOtherSpellings(folder, name)
    refuseUnlessFile(folder, name)
    const before = permissionsOf(folder, name)
    putFile(folders, folder, name, { ...file, ...(before !== undefined && { mode: modeAfter(before, file) }) })
  } finally {
    for (const folder of opened) folder.close()
  }
}

/** Refuses a name beside another one that some file systems take for it. @throws {SkillError} RESOURCE_REFUSED */
export function refuseOtherSpellings(folder: OpenFolder, name: string): void {
  const other = folder.entries().find((entry) => entry.name !== name && isSameName(entry.name, name))
  if (other === undefined) return
  const message = `"${name}" is not written: "${other.name}" is there, and to some file systems both are one. Use that name, or rename it.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: name })
}

/** Sets or removes the right to run the file for everyone who may read it. A private file stays private. */
function modeAfter(before: { readonly mode: number; readonly executable: boolean }, file: StoredFile): number {
  const { executable = before.executable } = file
  if (executable === before.executable) return before.mode
  return executable ? before.mode | ((before.mode >> 2) & ANYBODY_RUNS) : before.mode & ~ANYBODY_RUNS
}

/** Refuses what would be replaced and is not a file. @throws {OpenError} link, folder, special */
function refuseUnlessFile(folder: OpenFolder, name: string): void {
  if (!exists(folder, name)) return
  const stats = folder.stat(name)
  if (stats.isSymbolicLink()) throw new OpenError('link')
  if (!stats.isFile()) throw new OpenError(stats.isDirectory() ? 'folder' : 'special')
}
