import { existsSync, readdirSync } from 'node:fs'
import { sep } from 'node:path'
import type { SkillLocator } from '../../catalog/fast-visit.ts'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import { isManifestName, MANIFEST_NAME } from '../folder/manifest-name.ts'
import { otherSpelling } from './scan-report.ts'

// The only other spelling that occurs in practice. To find every spelling, all folders would have to be listed, which
// takes as long as reading them. The check for this one takes a seventh of a scan's time.
const OTHER_BELOW = `${sep}skill.md`

/** Whether `skill.md` exists. A case-insensitive file system finds any spelling; only a listing shows the true name. */
export function hasOtherSpelling(folder: string): boolean {
  // In the root of a file system this has two separators in a row, which count as one.
  return existsSync(folder + OTHER_BELOW)
}

/** Folders with a SKILL.md that were not yet searched for other spellings. */
export interface UncheckedFolders {
  add(folder: { readonly name: string; readonly path: string; readonly locator?: SkillLocator | undefined }): void
  /** Returns a search for diagnostics in all of them; undefined if there are no folders. */
  search(): (() => readonly Diagnostic[]) | undefined
}

/** Folders with the same locator, as names; without a locator, as paths. */
interface FolderGroup {
  readonly locator: SkillLocator | undefined
  readonly names: string[]
}

export function createUncheckedFolders(): UncheckedFolders {
  const groups: FolderGroup[] = []
  let last: FolderGroup | undefined
  return {
    add({ locator, name, path }) {
      if (last === undefined || last.locator !== locator) groups.push((last = { locator, names: [] }))
      last.names.push(locator === undefined ? path : name)
    },
    search() {
      // An array that has grown has spare capacity; a copy has none.
      const folders = groups.map(({ locator, names }) => ({ locator, names: names.slice() }))
      return folders.length === 0 ? undefined : searchIn(folders)
    },
  }
}

/** A separate function: a closure inside the scan would keep the scan's memory alive. */
function searchIn(folders: readonly FolderGroup[]): () => readonly Diagnostic[] {
  return () =>
    folders.flatMap(({ locator, names }) => names.flatMap((name) => otherSpellings(locator?.location(name) ?? name)))
}

/** Returns the diagnostics of a folder that holds SKILL.md and was not listed during the scan. */
function otherSpellings(path: string): readonly Diagnostic[] {
  if (!hasOtherSpelling(path)) return []
  try {
    const spellings = readdirSync(path).filter(isManifestName)
    if (!spellings.includes(MANIFEST_NAME)) return []
    const others = spellings.filter((name) => name !== MANIFEST_NAME)
    return others.toSorted().map((other) => otherSpelling(path, MANIFEST_NAME, other))
  } catch {
    // It was deleted meanwhile, or cannot be listed.
    return []
  }
}
