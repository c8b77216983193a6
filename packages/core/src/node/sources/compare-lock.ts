import { type Dirent, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isSkillError, type SkillFolder } from '@repertoire/skill-md/internal'
import type { FoundSkill } from '../../ports/source.ts'
import { measureFolder } from '../../resources/digest.ts'
import { isBeingChanged, isMoving, waitOut } from '../folder/leftovers.ts'
import { type Installed, type LockedEntry, readInstalled } from './installed.ts'
import { lockDiffers, lockedMissing, lockUnreadable, type ScanFinding } from './scan-report.ts'

/**
 * Compares the skills that a scan has found with the lock of their project.
 * @param root the folder of the skills
 * @param installed what the lock says of the folder
 * @param found the skills in it, by the names of their folders
 */
export async function* compareWithLock(
  root: string,
  { locked, brokenLock }: Installed,
  found: ReadonlyMap<string, FoundSkill>,
): AsyncGenerator<ScanFinding> {
  if (brokenLock !== undefined) yield lockUnreadable(brokenLock)
  for (const { names, files, isHome } of locked) {
    const name = [...names].find((each) => found.has(each))
    if (name !== undefined) {
      const differences = await lastingDifferences(root, name, found.get(name)!, files)
      if (differences.length > 0) yield lockDiffers(found.get(name)!.path, name, differences)
    } else if (isHome && ![...names].some((each) => isThere(root, each))) {
      yield lockedMissing(root, [...names][0]!)
    }
  }
}

/** A program that installs skills changes the folder first and then the lock: what differs is looked at again. */
async function lastingDifferences(
  root: string,
  name: string,
  { folder, fileName }: FoundSkill,
  files: LockedEntry['files'],
): Promise<readonly string[]> {
  const differences = await differencesOf(folder, fileName, files)
  if (differences.length === 0) return differences
  if (!(await waitOut(() => isBeingChanged(root, name)))) return []
  const entry = readInstalled(root).locked.find(({ names }) => names.has(name))
  return entry === undefined ? [] : differencesOf(folder, fileName, entry.files)
}

async function differencesOf(
  folder: SkillFolder,
  fileName: string,
  pinned: LockedEntry['files'],
): Promise<readonly string[]> {
  try {
    const listing = await folder.list()
    const measured = await measureFolder(folder, listing, { path: fileName, bytes: await folder.readManifest() })
    const { files, whole } = measured
    const entries = [...listing.files, ...listing.withheld.files]
    const executable = new Map(entries.map((entry) => [entry.path, entry.executable]))
    const refused = [...listing.refused, ...listing.withheld.refused].map(({ path }) => path)
    const unread = [...refused, ...emptyFolders(folder.location, refused)]
    return [
      ...[...pinned].flatMap(([path, pin]) => {
        if (!files.has(path)) return [`missing ${path}`]
        if (files.get(path) !== pin.sha256) return [`edited ${path}`]
        // Windows has no such permission.
        const isMode = process.platform !== 'win32' && executable.get(path) !== (pin.executable === true)
        return isMode ? [`other mode ${path}`] : []
      }),
      ...[...files.keys(), ...unread].flatMap((path) => (pinned.has(path) ? [] : [`added ${path}`])),
      ...(whole || refused.length > 0 ? [] : ['files that cannot be read']),
    ]
  } catch (error) {
    if (!isSkillError(error)) throw error
    return [error.message]
  }
}

/**
 * Returns the folders below one that hold nothing: no digest of files covers them.
 * @param known what is not looked into
 */
export function emptyFolders(root: string, known: readonly string[]): readonly string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(root, { recursive: true, withFileTypes: true })
  } catch {
    // What was removed meanwhile is not there, and what cannot be read the listing has named.
    return []
  }
  const parents = new Set(entries.map(({ parentPath }) => parentPath))
  return entries
    .filter((entry) => entry.isDirectory() && !parents.has(join(entry.parentPath, entry.name)))
    .map(({ parentPath, name }) => `${relative(root, join(parentPath, name)).split(sep).join('/')}/`)
    .filter((path) => !known.some((each) => path.startsWith(`${each}/`)))
    .toSorted()
}

function isThere(root: string, name: string): boolean {
  return (
    lstatSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === false ||
    existsSync(join(root, name, 'SKILL.md')) ||
    isMoving(root, name)
  )
}
