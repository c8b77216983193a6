import { existsSync, readdirSync } from 'node:fs'
import { sep } from 'node:path'
import type { SkillLocator } from '../../catalog/fast-visit.ts'
import type { Diagnostic } from '../../ports/diagnostic.ts'
import { isManifestName, MANIFEST_NAME } from '../folder/manifest-name.ts'
import { otherSpelling } from './scan-report.ts'

// The one other spelling that occurs. To see the rest of them beside SKILL.md, every folder would have to be listed,
// which takes as long as reading it. To look for this one takes a seventh of a scan.
const OTHER_BELOW = `${sep}skill.md`

/** A file system that ignores case finds every spelling; then the folder's list knows the true name. */
export function hasOtherSpelling(folder: string): boolean {
  // Two separators in a row, below the root of a file system, are one.
  return existsSync(folder + OTHER_BELOW)
}

/** Folders with a SKILL.md in which other spellings were not looked for. */
export interface UncheckedFolders {
  add(folder: { readonly name: string; readonly path: string; readonly locator?: SkillLocator | undefined }): void
  /** A search for diagnostics in all of them; undefined where there are none. */
  search(): (() => readonly Diagnostic[]) | undefined
}

/** Folders of one locator, by their names; of none, by their paths. */
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
      // An array that has grown has room for more; a copy has none.
      const folders = groups.map(({ locator, names }) => ({ locator, names: names.slice() }))
      return folders.length === 0 ? undefined : searchIn(folders)
    },
  }
}

/** Apart from the scan, whose memory would be kept with it. */
function searchIn(folders: readonly FolderGroup[]): () => readonly Diagnostic[] {
  return () =>
    folders.flatMap(({ locator, names }) => names.flatMap((name) => otherSpellings(locator?.location(name) ?? name)))
}

/** The diagnostics of a folder that holds SKILL.md, and was not listed. */
function otherSpellings(path: string): readonly Diagnostic[] {
  if (!hasOtherSpelling(path)) return []
  try {
    const spellings = readdirSync(path).filter(isManifestName)
    if (!spellings.includes(MANIFEST_NAME)) return []
    const others = spellings.filter((name) => name !== MANIFEST_NAME)
    return others.toSorted().map((other) => otherSpelling(path, MANIFEST_NAME, other))
  } catch {
    // It is gone by now, or cannot be listed.
    return []
  }
}
