import type { LibraryWork } from '../job.ts'
import type { LibraryRow } from '../measures/library.ts'
import type { Aim } from '../results.ts'
import { times } from '../report/format.ts'
import { atMost } from './judge.ts'

/** A write compares revisions under a lock, which is read before and after it. */
const LIMITS: Readonly<Record<LibraryWork, number>> = {
  save: 6,
  saveResource: 7,
  scan: 1.5,
  load: 6,
  verify: 4,
  changeLock: 4,
}

/** What the library does over the least that does the same, in one run. */
export function libraryAims(rows: readonly LibraryRow[]): Aim[] {
  return rows.map(({ id, title, bareTitle, over }) =>
    atMost(`${title}, over: ${bareTitle}`, LIMITS[id], over?.median, times),
  )
}
