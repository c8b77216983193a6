import { afterEach, describe, expect, it, vi } from 'vitest'
import { ABORTED, TIMED_OUT, waitFor } from '../src/time-limit.ts'

afterEach(() => void vi.useRealTimers())

describe('waiting for what never comes', () => {
  it('[CAT-10] sets no timer where there is no limit, so that it keeps no process alive', async () => {
    vi.useFakeTimers()
    const abort = new AbortController()
    const waiting = waitFor(new Promise(() => {}), Infinity, abort.signal)
    expect(vi.getTimerCount()).toBe(0)
    abort.abort()
    expect(await waiting).toBe(ABORTED)
  })

  it('[CAT-10] gives up when the time is over, also where that is longer than a timer can be', async () => {
    vi.useFakeTimers()
    const waiting = waitFor(new Promise(() => {}), Number.MAX_SAFE_INTEGER)
    let isOver = false
    void waiting.then(() => (isOver = true))
    // A timer with one more fires at once.
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await waiting).toBe(TIMED_OUT)
  })
})
