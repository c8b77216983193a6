/** An error for a person, without a stack. By default it is one in the command line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** As `--json` prints it. */
  readonly code: string
  readonly exitCode: number

  constructor(
    message: string,
    { code = 'USAGE', exitCode = 2, cause }: { code?: string; exitCode?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.exitCode = exitCode
  }
}
