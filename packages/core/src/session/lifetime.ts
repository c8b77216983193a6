import { untilAborted } from '../time-limit.ts'
import type { StateHolder } from './state/state.ts'

export type Lifetime = ReturnType<typeof createLifetime>

/**
 * The order in which a session does its work, and its end.
 * @param parentEnd aborts when no work may begin any more, although this session has not ended
 */
export function createLifetime(state: Pick<StateHolder, 'current'>, parentEnd?: AbortSignal) {
  const end = new AbortController()
  const endSignal: AbortSignal = parentEnd === undefined ? end.signal : AbortSignal.any([end.signal, parentEnd])
  const besides = new Set<Promise<unknown>>()
  let last: Promise<unknown> = Promise.resolve()

  /**
   * Runs work with a signal that aborts with its own run and at the end of the session. Returns undefined if the
   * session ended first.
   * @throws the signal's reason, if its own run is aborted
   */
  async function runUntilEnd<T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work(signal === undefined ? endSignal : AbortSignal.any([signal, endSignal]))
    } catch (error) {
      signal?.throwIfAborted()
      if (error !== endSignal.reason) throw error
      return undefined
    }
  }

  return {
    /** Aborted from the beginning of the end on. */
    endSignal,
    hasEnded: () => state.current().ended || endSignal.aborted,
    /** Aborts `endSignal`: no work begins any more, and open questions are abandoned. */
    beginEnd: () => end.abort(),
    /**
     * Runs work after all that came before it is done: the order of the stack is then the order of the model's calls.
     * @throws the signal's reason, at once if it aborts. Work that has begun goes on, and what comes next waits for it
     */
    runExclusive<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
      const result = last.then(() => {
        signal?.throwIfAborted()
        return work()
      })
      last = result.catch(() => undefined)
      return untilAborted(result, signal)
    },
    runUntilEnd,
    /** As `runUntilEnd`, but beside all other work. Where its own run is aborted it throws at once; `settled` waits. */
    async runBeside<T>(...[signal, work]: Parameters<typeof runUntilEnd<T>>): Promise<T | undefined> {
      const running = runUntilEnd(signal, work)
      besides.add(running)
      const remove = (): unknown => besides.delete(running)
      running.then(remove, remove)
      return untilAborted(running, signal)
    },
    /** Waits until nothing runs beside any more. */
    async settled() {
      await Promise.allSettled(besides)
    },
  }
}

/** How the run that a call is part of ends or waits. */
export interface RunOptions {
  /**
   * Aborts the run: what has not begun is not begun, a request for consent that waits for its answer is abandoned, and
   * a running fork is stopped.
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Whether what `execute` throws is the framework's way to wait for a person, after which it makes the call again:
   * that is not recorded as a failure. Default: never.
   */
  readonly suspends?: ((error: unknown) => boolean) | undefined
}
