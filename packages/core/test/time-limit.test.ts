import { afterEach, describe, expect, it, vi } from 'vitest'
import { inTime } from '../src/stores.ts'

afterEach(() => void vi.useRealTimers())

const never = new Promise<never>(() => {})

describe('waiting for what never comes', () => {
  it('[CAT-10] sets no timer if there is no limit, so that it keeps no process alive', async () => {
    vi.useFakeTimers()
    const abort = new AbortController()
    const waiting = inTime(never, Infinity, 'The source', abort.signal)
    expect(vi.getTimerCount()).toBe(0)
    abort.abort(new Error('stopped'))
    await expect(waiting).rejects.toThrow('stopped')
  })

  it('[CAT-10] gives up when the time is over, also if that is longer than a timer can be', async () => {
    vi.useFakeTimers()
    let isOver = false
    const waiting = inTime(never, Number.MAX_SAFE_INTEGER, 'The source')
      .catch((error: unknown) => error)
      .finally(() => (isOver = true))
    // A timer with one more fires at once.
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await waiting).toMatchObject({ code: 'TIMED_OUT' })
  })
})
