/** The order in which a session does its work, and the end of it. */
export interface Lifetime {
  /** Aborted from the beginning of the end on. */
  readonly over: AbortSignal
  /** From here on nothing begins any more, and what waits for somebody is given up. */
  readonly close: () => void
  /** Does work when all that came before is done: the stack's order is then the model's order. */
  readonly runExclusive: <T>(work: () => T | Promise<T>) => Promise<T>
  /**
   * Does work that is given up at the end, undefined then, as it is where its own run is aborted.
   * @throws the signal's reason
   */
  readonly untilEnd: <T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => T | Promise<T>,
  ) => Promise<T | undefined>
}

/** What signals are aborted with at the end. One for all tasks: to make one takes longer than a whole end without it. */
let ended: DOMException | undefined

/** @param until aborted where nothing may begin any more, whatever the session itself says */
export function createLifetime(until?: AbortSignal): Lifetime {
  const ending = new AbortController()
  const over = until === undefined ? ending.signal : AbortSignal.any([ending.signal, until])
  let last: Promise<unknown> = Promise.resolve()
  return {
    over,
    close: () => ending.abort((ended ??= new DOMException('This operation was aborted', 'AbortError'))),
    runExclusive(work) {
      const result = last.then(work)
      last = result.catch(() => undefined)
      return result
    },
    async untilEnd(signal, work) {
      try {
        return await work(signal === undefined ? over : AbortSignal.any([signal, over]))
      } catch (error) {
        signal?.throwIfAborted()
        if (error !== over.reason) throw error
        return undefined
      }
    },
  }
}
