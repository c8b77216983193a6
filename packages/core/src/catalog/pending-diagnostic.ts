import { materialise } from '../manifest/index.ts'
import type { CompactDiagnostic } from '../manifest/index.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Skill } from '../ports/skill.ts'

/**
 * One or more diagnostics of a scan, as they are kept until they are read. Most are never read, so their messages are
 * built only then.
 */
export type PendingDiagnostic =
  /** The file of the compact diagnostics that follow. A separate entry, since files share equal diagnostics. */
  | Skill
  | string
  | readonly CompactDiagnostic[]
  | { readonly diagnostics: readonly Diagnostic[] }
  /** A search that runs when the diagnostics are read. */
  | { readonly search: () => readonly Diagnostic[] }

/** Returns the diagnostics with their messages. */
export function materialiseAll(pending: readonly PendingDiagnostic[]): Diagnostic[] {
  let path = ''
  return pending.flatMap((entry) => {
    if (typeof entry === 'string' || 'manifest' in entry) {
      path = typeof entry === 'string' ? entry : entry.path
      return []
    }
    if ('search' in entry) return entry.search()
    return 'diagnostics' in entry ? entry.diagnostics : entry.map((compact) => materialise(path, compact))
  })
}
