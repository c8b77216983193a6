import { SkillError } from '@repertoire/core'
import type { StoredFile } from '@repertoire/core'
import { isSameName } from '@repertoire/core/adapter'
import { OpenFailure } from '@repertoire/core/node'
import type { OpenFolder } from '@repertoire/core/node'
import { openOrMake } from '../durable/staging.ts'
import { putFile } from '../durable/swap.ts'
import type { StoreFolders } from '../durable/swap.ts'

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
    const executable = file.executable ?? isExecutable(folder, name)
    putFile(folders, folder, name, { bytes: file.bytes, executable })
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

/** Whether the file that is replaced is. @throws {OpenFailure} link, folder, special */
function isExecutable(folder: OpenFolder, name: string): boolean {
  try {
    const stats = folder.stat(name)
    if (stats.isSymbolicLink()) throw new OpenFailure('link')
    if (!stats.isFile()) throw new OpenFailure(stats.isDirectory() ? 'folder' : 'special')
    return (stats.mode & 0o111) !== 0
  } catch (error) {
    if (error instanceof OpenFailure && error.kind === 'missing') return false
    throw error
  }
}
