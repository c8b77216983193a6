import { MAX_TIMER_MS } from '@repertoire/skill-md/internal'

/**
 * Waits for work that a signal tells to stop, and after that no longer than `graceMs`: work that ignores the signal must
 * not keep a task from its end.
 * @throws what the work throws; the signal's reason where the grace is over
 */
export async function withGrace<T>(work: () => Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const graceOver = Promise.withResolvers<never>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const startGrace = (): void => {
    timer = setTimeout(() => graceOver.reject(signal.reason), Math.min(graceMs, MAX_TIMER_MS))
  }
  signal.addEventListener('abort', startGrace, { once: true })
  try {
    return await Promise.race([work(), graceOver.promise])
  } finally {
    signal.removeEventListener('abort', startGrace)
    clearTimeout(timer)
  }
}
