import type { MANIFEST_CODES } from '../diagnostic-codes.ts'
import type { Diagnostic, Profile } from '../types.ts'

/** The code of a manifest's diagnostic. */
type ManifestCode = keyof typeof MANIFEST_CODES

/** A finding before it is told where and how severe it is. */
interface Finding {
  /** 1-based. */
  readonly line?: number
  readonly message: string
  readonly hint?: string
}

/** A finding that ends the reading. */
export interface Fault extends Finding {
  readonly code: ManifestCode
}

/** Collects the diagnostics of one file. Its methods give nothing, so that a rule can end with one of them. */
export interface Report {
  readonly diagnostics: readonly Diagnostic[]
  /** Whether an error was reported, so that the skill is not loaded. */
  readonly failed: boolean
  error(code: ManifestCode, finding: Finding): undefined
  /** What the standard does not allow and what leaves the skill usable: an error in `strict`, else a warning. */
  deviation(code: ManifestCode, finding: Finding): undefined
  warning(code: ManifestCode, finding: Finding): undefined
  info(code: ManifestCode, finding: Finding): undefined
}

export function createReport(path: string, profile: Profile): Report {
  const diagnostics: Diagnostic[] = []
  let failed = false

  function add(severity: Diagnostic['severity'], code: ManifestCode, { line, message, hint }: Finding): undefined {
    if (severity === 'error') failed = true
    diagnostics.push({
      code,
      severity,
      path,
      ...(line === undefined ? {} : { line }),
      message,
      ...(hint === undefined ? {} : { hint }),
    })
  }

  return {
    diagnostics,
    get failed() {
      return failed
    },
    error: (code, finding) => add('error', code, finding),
    deviation: (code, finding) => add(profile === 'strict' ? 'error' : 'warning', code, finding),
    warning: (code, finding) => add('warning', code, finding),
    info: (code, finding) => add('info', code, finding),
  }
}
