/** The largest number that timers of JavaScript take, in milliseconds. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Checks a host's limit.
 * @throws {TypeError} it is not a whole number from 1 on
 */
export function readLimit(tool: string, name: string, value: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= most) return value
  throw new TypeError(
    `${tool}: \`${name}\` is a whole number from 1 on${most === MAX_TIMER_MS ? ' that a timer takes' : ''}.`,
  )
}

/** Checks a time in milliseconds. @throws {TypeError} */
export function readTimeLimit(tool: string, name: string, value: number): number {
  return readLimit(tool, name, value, MAX_TIMER_MS)
}
