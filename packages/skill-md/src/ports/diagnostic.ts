import type { DiagnosticCode } from './diagnostic-codes.ts'

/** A finding about a file: data, so that a terminal, an editor and a log can each show it in their own way. */
export interface Diagnostic {
  /**
   * What was found. The set is closed, so that a program can handle every case: a custom source uses the code that fits
   * best, see `DIAGNOSTIC_CODES`.
   */
  readonly code: DiagnosticCode
  /** `error`: the skill was not loaded. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly path: string
  /** 1-based. */
  readonly line?: number
  /** What is wrong, with the offending value. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
}
