/**
 * Redirects the console to stderr, since frameworks log while they run and stdout is for the report only. Returns a
 * function that undoes this.
 */
export function keepStdoutClean(): () => void {
  const { log, info, debug } = console
  Object.assign(console, { log: console.error, info: console.error, debug: console.error })
  return () => void Object.assign(console, { log, info, debug })
}
