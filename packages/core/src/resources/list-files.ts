import type { FolderEntry, FolderListing } from '@repertoire/skill-md/internal'
import { isDependencyFolder, isGitData, isWithheld } from './path.ts'

/** Lists files that are not on a disk as a folder on a disk is listed, so that the same rules apply to both. */
export function listFiles(entries: readonly FolderEntry[]): FolderListing {
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const searched = sorted.filter(
    ({ path }) => !path.split('/').some((part) => isGitData(part) || isDependencyFolder(part)),
  )
  const skipped = new Set(sorted.flatMap(({ path }) => skippedFolder(path.split('/')) ?? []))
  const refused = [...skipped].map((path) => ({ path, reason: 'not searched' }))
  return {
    files: searched.filter((file) => !isHidden(file)),
    truncated: false,
    refused: [],
    withheld: { files: searched.filter(isHidden), truncated: false, refused },
  }
}

function isHidden({ path }: FolderEntry): boolean {
  return path.split('/').some(isWithheld)
}

/** Returns the dependency folder that contains a path and is not searched. Paths in `.git` are ignored. */
function skippedFolder(parts: readonly string[]): string | undefined {
  const first = parts.findIndex((part) => isGitData(part) || isDependencyFolder(part))
  return isDependencyFolder(parts[first] ?? '') ? parts.slice(0, first + 1).join('/') : undefined
}
