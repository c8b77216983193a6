import { toDiagnostic } from '../manifest/index.ts'
import type { CompactDiagnostic } from '../manifest/index.ts'
import type { Diagnostic } from '../ports/diagnostic.ts'
import type { Skill } from '../ports/skill.ts'

/** What there is to say at one place of a scan: of most manifests nobody asks for the words. */
export type PendingDiagnostic =
  /** Whose file the findings behind it are of. Apart from them, since files that say the same share them. */
  | Skill
  | string
  | readonly CompactDiagnostic[]
  | { readonly diagnostics: readonly Diagnostic[] }
  /** What is only looked for when someone asks. */
  | { readonly later: () => readonly Diagnostic[] }

/** The words of it all. */
export function worded(sayings: readonly PendingDiagnostic[]): Diagnostic[] {
  let path = ''
  return sayings.flatMap((saying) => {
    if (typeof saying === 'string' || 'manifest' in saying) {
      path = typeof saying === 'string' ? saying : saying.path
      return []
    }
    if ('later' in saying) return saying.later()
    return 'diagnostics' in saying ? saying.diagnostics : saying.map((told) => toDiagnostic(path, told))
  })
}
