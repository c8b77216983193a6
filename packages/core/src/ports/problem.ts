/** What went wrong and stopped no call: for logs. */
export interface SessionProblem {
  readonly code: SessionProblemCode
  /** What went wrong, where, and what to do. */
  readonly message: string
  /** The skill that it concerns. */
  readonly skill?: string
  readonly cause?: unknown
}

/** The closed set of problems. */
export type SessionProblemCode =
  /** A post hook failed. The skill is deactivated nevertheless. */
  | 'HOOK_FAILED'
  /** A skill's private copy could not be removed. */
  | 'UNMOUNT_FAILED'
  /** A sink of the audit failed: events are missing in it. Reported once for each sink. */
  | 'AUDIT_FAILED'
