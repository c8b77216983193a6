import { MAX_TIMER_MS } from './ports/limits.ts'

/** The time was over before there was a value. */
export const TIMED_OUT: unique symbol = Symbol('timed out')

/** The signal aborted before there was a value. */
export const ABORTED: unique symbol = Symbol('aborted')

/**
 * Waits for a promise, and gives up when the time is over or the signal aborts. The work behind it goes on.
 * @param timeoutMs `Infinity` for no limit
 * @throws what the promise rejects with
 */
export async function waitFor<T>(
  promise: PromiseLike<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | typeof TIMED_OUT | typeof ABORTED> {
  const givenUp = Promise.withResolvers<typeof TIMED_OUT | typeof ABORTED>()
  const timer = setTimeout(() => givenUp.resolve(TIMED_OUT), Math.min(timeoutMs, MAX_TIMER_MS))
  const abort = (): void => givenUp.resolve(ABORTED)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  try {
    return await Promise.race([promise, givenUp.promise])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Whether a value that foreign code returned is a promise, or can be waited for like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  )
}
