import { SkillError, showName } from '@repertoire/core'
import { ORIGIN_TIMEOUT_MS } from './limits.ts'
import type { OriginOptions } from './options.ts'

/**
 * Does work that may take long, and gives up when the time is over, also where the work does not notice its signal.
 * @throws {SkillError} TIMED_OUT
 * @throws the reason of a caller's signal
 */
export async function withDeadline<T>(
  origin: string,
  { timeout = ORIGIN_TIMEOUT_MS }: OriginOptions,
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const message = `${showName(origin)} did not give everything within ${timeout} ms. Try again, or allow more time.`
  const timer = setTimeout(() => over.abort(new SkillError('TIMED_OUT', message)), timeout)
  const signal = AbortSignal.any([over.signal, ...signals.filter((each) => each !== undefined)])
  const givenUp = Promise.withResolvers<never>()
  const giveUp = (): void => givenUp.reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    signal.throwIfAborted()
    return await Promise.race([work(signal), givenUp.promise])
  } catch (error) {
    // What breaks because of the abort is not the reason.
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}
