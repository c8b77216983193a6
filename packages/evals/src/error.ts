import type { EvalCase } from './eval-case.ts'

/** What went wrong. Codes are stable, messages are not. */
export type EvalErrorCode =
  /** An eval file cannot be read as cases, or a case names a file that is missing. */
  | 'EVAL_FILE_INVALID'
  /** A request is not the one that the tape has. */
  | 'TAPE_DIFFERS'
  /** A tape is missing, cut short or not a tape. */
  | 'TAPE_INVALID'
  /** An answer could not be recorded, since it holds a secret that cannot be masked, or the provider failed. */
  | 'TAPE_NOT_RECORDED'

/** An error of an eval file or a tape. Its message says what, where and how to fix it. */
export class EvalError extends Error {
  override readonly name = 'EvalError'
  readonly code: EvalErrorCode

  constructor(code: EvalErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns the error of a place in a file. @param message what is wrong, and what to change */
export function fileError({ file, line }: EvalCase['place'], message: string): EvalError {
  return new EvalError('EVAL_FILE_INVALID', `${file}:${line}: ${message}.`)
}
