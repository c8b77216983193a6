import { SkillError, MAX_TIMER_MS } from '@repertoire/skill-md/internal'

/** The time was over before there was a value. */
export const TIMED_OUT: unique symbol = Symbol('timed out')

/** The signal aborted before there was a value. */
export const ABORTED: unique symbol = Symbol('aborted')

/**
 * Waits for a promise, and gives up when the time is over or the signal aborts. The work behind it continues.
 * @param timeoutMs `Infinity` for no limit
 * @throws what the promise rejects with
 */
export function waitFor<T>(
  promise: PromiseLike<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | typeof TIMED_OUT | typeof ABORTED> {
  // One promise of its own, and not a race of several: every read of a folder waits here.
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = (): void => settle(() => resolve(ABORTED))
    const settle = (how: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      how()
    }
    // First of all: what is settled already counts, also where the signal has aborted.
    Promise.resolve(promise).then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error)),
    )
    // Without a limit there is no timer either: one would keep a process alive for weeks that has nothing else to do.
    if (timeoutMs !== Infinity)
      timer = setTimeout(() => settle(() => resolve(TIMED_OUT)), Math.min(timeoutMs, MAX_TIMER_MS))
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) void Promise.resolve().then(abort)
  })
}

/**
 * Returns what foreign code promises, or fails where that takes too long.
 * @param timeoutMs `Infinity` for no limit
 * @param what the subject of a sentence
 * @throws {SkillError} TIMED_OUT
 * @throws what the promise rejects with; the signal's reason
 */
export async function inTime<T>(
  promise: PromiseLike<T>,
  timeoutMs: number,
  what: string,
  signal?: AbortSignal,
): Promise<T> {
  const value = await waitFor(promise, timeoutMs, signal)
  signal?.throwIfAborted()
  if (value !== TIMED_OUT) return value as T
  throw new SkillError('TIMED_OUT', `${what} did not answer within ${timeoutMs} ms, and is not waited for any longer.`)
}

/**
 * Runs foreign work with its own signal, which aborts with the given one and when the time is over. After that the
 * work is not waited for.
 * @param timeoutMs `Infinity` for no limit
 * @param what the subject of a sentence: why the work's signal aborts
 * @throws what the work throws; the signal's reason
 */
export async function runInTime<T>(
  work: (signal: AbortSignal) => T | PromiseLike<T>,
  timeoutMs: number,
  what: string,
  signal?: AbortSignal,
): Promise<T | typeof TIMED_OUT> {
  signal?.throwIfAborted()
  const controller = new AbortController()
  // At once: the work may have started what ends with its signal.
  const abort = (): void => controller.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const value = await waitFor(Promise.resolve(work(controller.signal)), timeoutMs, signal)
    signal?.throwIfAborted()
    if (value === TIMED_OUT) controller.abort(new DOMException(`${what} timed out.`, 'TimeoutError'))
    return value as T | typeof TIMED_OUT
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

/** Returns what is promised, without waiting for it once the signal aborts. @throws the signal's reason */
export async function untilAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  const value = await waitFor(promise, Infinity, signal)
  signal.throwIfAborted()
  return value as T
}

/**
 * Yields the parts of a stream until the signal aborts, also where the stream ignores it: it is then closed, and not
 * waited for.
 * @throws the signal's reason; what the stream throws
 */
export async function* partsUntilAborted<T>(
  parts: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const iterator = parts[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      signal?.throwIfAborted()
      const next = await untilAborted(iterator.next(), signal)
      isOver = next.done === true
      if (next.done === true) return
      yield next.value
    }
  } finally {
    if (!isOver) void close(iterator)
  }
}

async function close(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // The failure of a stream that is no longer read concerns no caller.
  }
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

/** A tenth of what a person notices. */
const SLICE_MS = 8

/** Divides long synchronous work, so that whatever else the process does goes on. Begins the first slice. */
export function beginTimeSlice() {
  let since = performance.now()
  /** Whether the work has taken its time since the last pause. */
  const isOver = (): boolean => performance.now() - since > SLICE_MS
  return {
    isOver,
    /** Lets everything else run, if the slice is over. */
    async pause() {
      if (!isOver()) return
      // A promise alone would let nothing run but other promises. Browsers have no `setImmediate`.
      await new Promise((resolve) => void (typeof setImmediate === 'function' ? setImmediate : setTimeout)(resolve))
      since = performance.now()
    },
  }
}
