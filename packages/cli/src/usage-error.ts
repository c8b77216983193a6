/** What the person who typed the command can put right. Ends in exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
