import { isAt, keyAt } from './memory-table.ts'
import type { Table } from './memory-table.ts'

/** Returns the row of a folder, if the scan visited folders sorted by name, as it does within one parent folder. */
export function rowByName(folderNames: readonly (string | undefined)[], folderName = ''): number {
  let low = 0
  let high = folderNames.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((folderNames[middle] ?? '') < folderName) low = middle + 1
    else high = middle
  }
  return low
}

export interface Finder {
  /** Returns the row of a frontmatter in the table, or -1. */
  find(key: string, folderName: string | undefined): number
  /** Returns the row that is tried first: the one after the last match. */
  next(): number
}

export function createFinder(table: Table): Finder {
  const { folderNames } = table
  let next = 0
  let rows: Map<string, number> | undefined
  let mapped = 0
  let sorted = 0
  /** Whether a name comes after those of all rows, so that none has it. Folders are mostly visited sorted by name. */
  const isAfterAll = (folderName: string | undefined): boolean => {
    while (sorted !== -1 && sorted < folderNames.length) {
      sorted = sorted === 0 || isBefore(folderNames[sorted - 1], folderNames[sorted]) ? sorted + 1 : -1
    }
    return sorted > 0 && isBefore(folderNames[sorted - 1], folderName)
  }
  return {
    find(key, folderName) {
      // A scan mostly visits the same folders in the same order as the previous one.
      if (!isAt(table, next, key, folderName)) {
        if (isAfterAll(folderName)) return -1
        rows ??= new Map()
        for (; mapped < table.manifests.length; mapped++) rows.set(keyAt(table, mapped), mapped)
        const found = rows.get(key)
        if (found === undefined || table.folderNames[found] !== folderName) return -1
        next = found
      }
      return next++
    },
    next: () => next,
  }
}

/** Code units, by which names are sorted. A missing name is not before any other. */
function isBefore(name: string | undefined, other: string | undefined): boolean {
  return name !== undefined && other !== undefined && name < other
}
