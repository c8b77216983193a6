import { recentEntries } from '../recent-entries.ts'

/** Tells which problems of a session were reported before. One for all sessions of a repertoire: frameworks reopen them. */
export interface FirstReports {
  /** Whether this is the first report of its kind in the session. */
  readonly isFirst: (session: string, kind: string) => boolean
}

/** Reports that are remembered. */
const MAX_REPORTS = 10_000

/** Creates an empty record of reports. */
export function createFirstReports(): FirstReports {
  const known = recentEntries<string, true>(MAX_REPORTS)
  return {
    isFirst(session, kind) {
      const key = JSON.stringify([session, kind])
      if (known.has(key)) return false
      known.set(key, true)
      return true
    },
  }
}
