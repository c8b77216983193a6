/** A finding about a file: data, so that a terminal, an editor and a log can each show it in their way. */
export interface Diagnostic {
  /** One of a closed set, see `DIAGNOSTIC_CODES`. */
  readonly code: string
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
