import { vi } from 'vitest'

/**
 * Lets the clock run ahead once something was reached, until the work has ended: a deadline of any length then passes
 * at once, and never before the work is where the test wants it.
 */
export async function skipTime<T>(reached: Promise<void>, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const end = new AbortController()
    const running = work().finally(() => end.abort())
    await Promise.race([reached, running])
    while (!end.signal.aborted) {
      vi.advanceTimersByTime(1_000)
      // Everything that is ready gets its turn between two seconds
      await new Promise((resolve) => void setImmediate(resolve))
    }
    return await running
  } finally {
    vi.useRealTimers()
  }
}
