/** An error that the user can fix in the command line. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
