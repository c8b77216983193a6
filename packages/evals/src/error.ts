/** What went wrong. Codes are stable, messages are not. */
export type EvalErrorCode =
  /** An eval file cannot be read as cases: `file` and `line` say where. */
  | 'EVAL_FILE_INVALID'
  /** A request is not the one that the tape has. */
  | 'TAPE_DIFFERS'
  /** A tape is missing, cut short or not a tape. */
  | 'TAPE_INVALID'
  /** An answer could not be recorded, since it holds a secret that cannot be masked, or the provider failed. */
  | 'TAPE_NOT_RECORDED'
  /** A case cannot be run as it is written, for example because a file is missing. */
  | 'CASE_INVALID'

/** An error of an eval file, a case or a tape. Its message says what, where and how to fix it. */
export class EvalError extends Error {
  override readonly name = 'EvalError'
  readonly code: EvalErrorCode
  readonly file: string | undefined
  readonly line: number | undefined

  constructor(
    code: EvalErrorCode,
    message: string,
    place: { readonly file?: string; readonly line?: number; readonly cause?: unknown } = {},
  ) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause })
    this.code = code
    this.file = place.file
    this.line = place.line
  }
}
