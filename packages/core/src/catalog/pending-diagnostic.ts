import { materialise } from '../manifest/index.ts'
import type { CompactDiagnostic } from '../manifest/index.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Skill } from '../ports/skill.ts'

/**
 * A diagnostic of a scan, or several, as they are kept until somebody reads them. Of most manifests nobody does, so
 * messages are made then.
 */
export type PendingDiagnostic =
  /** The file that the compact diagnostics after it are about. Apart from them, since equal ones are shared by files. */
  | Skill
  | string
  | readonly CompactDiagnostic[]
  | { readonly diagnostics: readonly Diagnostic[] }
  /** Searched for when somebody asks. */
  | { readonly search: () => readonly Diagnostic[] }

/** Makes the diagnostics, with their messages. */
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
