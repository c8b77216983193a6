/** Why a tool did not do what it was asked. The set is closed: semver holds for the codes, not for the messages. */
export type ToolErrorCode =
  /** The input does not fit the schema, or contradicts itself. */
  | 'INPUT_INVALID'
  /** The host does not allow this method, host, program, folder, path or statement. */
  | 'NOT_ALLOWED'
  /** The address, or one that its name leads to, is not public. */
  | 'ADDRESS_REFUSED'
  /** A redirect is not followed: too many of them, or it would take the body elsewhere. */
  | 'REDIRECT_REFUSED'
  /** The answer, the file or the content is larger than the host allows. */
  | 'TOO_LARGE'
  | 'NOT_FOUND'
  /** There is something already, or what is there is not what was read. Nothing was changed. */
  | 'CONFLICT'
  /** The time was over. What had been started was ended. */
  | 'TIMED_OUT'
  /** The server, the program, the file system or the database failed; the message says how. */
  | 'FAILED'

/** What every tool of this package returns. Only an aborted call throws, with the signal's reason. */
export type ToolResult<T = unknown> =
  | { readonly success: true; readonly result: T; readonly durationMs: number }
  | {
      readonly success: false
      readonly error: { readonly code: ToolErrorCode; readonly message: string }
      /** What there was by then: the output of a command that took too long. */
      readonly result?: T
      readonly durationMs: number
    }

/** Thrown inside this package only: becomes the error of a result. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
  readonly code: ToolErrorCode
  /** What there was by then. */
  readonly result: unknown

  constructor(
    code: ToolErrorCode,
    message: string,
    { cause, result }: { readonly cause?: unknown; readonly result?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.result = result
  }
}
