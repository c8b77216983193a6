import { lstatSync } from 'node:fs'
import type { Stats } from 'node:fs'
import type { OpenFolder } from './safe-open.ts'

/** What the system says of the entries of one folder, noted when each was opened. */
export interface Stamps {
  /** Notes a folder before it is listed. */
  readonly addFolder: (path: string, folder: OpenFolder) => void
  /** Notes a file before it is read. */
  readonly addFile: (path: string, stats: Stats) => void
  /**
   * Whether all of them are as they were, by which no file was written and no entry came or went. False where that cannot be
   * told: what was written a moment before it was noted may have been written once more in the same tick of the clock.
   */
  readonly areUnchanged: () => boolean
}

/** Longer than a tick of any file system's clock. */
const MAX_TICK_MS = 3_000

/** @param root the path of the folder, without links */
export function createStamps(root: string): Stamps {
  const since = Date.now()
  const noted: { readonly path: string; readonly stats: Stats | undefined }[] = []
  return {
    addFolder: (path, folder) => void noted.push({ path, stats: folder.stats?.() }),
    addFile: (path, stats) => void noted.push({ path, stats }),
    areUnchanged: () =>
      noted.every(({ path, stats }) => isUnchanged(path === '' ? root : `${root}/${path}`, stats, since)),
  }
}

function isUnchanged(path: string, then: Stats | undefined, since: number): boolean {
  if (then === undefined || then.ctimeMs > since - MAX_TICK_MS) return false
  try {
    const now = lstatSync(path, { throwIfNoEntry: false })
    // The time of the last change is the system's own: no program can set it back.
    return (
      now !== undefined &&
      now.ino === then.ino &&
      now.dev === then.dev &&
      now.ctimeMs === then.ctimeMs &&
      now.mtimeMs === then.mtimeMs &&
      now.size === then.size &&
      now.mode === then.mode
    )
  } catch {
    return false
  }
}
