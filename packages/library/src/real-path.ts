import { realpathSync } from 'node:fs'

/** A path without links. What is not on this disk, such as a location in a database, stays as it is. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
