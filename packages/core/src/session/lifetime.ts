import { untilAborted } from '../time-limit.ts'
import type { StateHolder } from './state/holder.ts'

/** The order in which a session does its work, and its end. */
export interface Lifetime {
  /** Aborted from the beginning of the end on. */
  readonly endSignal: AbortSignal
  /** Whether nothing may begin any more. */
  readonly hasEnded: () => boolean
  /** Aborts `endSignal`: nothing begins any more, and what waits for somebody is abandoned. */
  readonly beginEnd: () => void
  /**
   * Runs work after all that came before it is done: the order of the stack is then the order of the model's calls.
   * @throws the signal's reason, at once where it aborts. Work that has begun continues, and what comes next waits for it
   */
  readonly runExclusive: <T>(work: () => T | Promise<T>, signal?: AbortSignal) => Promise<T>
  /**
   * Runs work with a signal that aborts with its own run and at the end of the session. Returns undefined where the
   * session ended first.
   * @throws the signal's reason, where its own run is aborted
   */
  readonly runUntilEnd: <T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => T | Promise<T>,
  ) => Promise<T | undefined>
  /** Does the same, beside all other work. `settled` waits for it. */
  readonly runBeside: Lifetime['runUntilEnd']
  /** Waits until nothing runs beside any more. */
  readonly settled: () => Promise<void>
}

/** The reason of all ends. One for all sessions: to make one takes longer than a whole end without it. */
let endReason: DOMException | undefined

/** As a class, since an object with a getter of its own takes longer to make than a session. */
class SignalOf {
  readonly #signal: () => AbortSignal

  constructor(signal: () => AbortSignal) {
    this.#signal = signal
  }

  get endSignal(): AbortSignal {
    return this.#signal()
  }
}

function abort(controller: AbortController): void {
  controller.abort((endReason ??= new DOMException('This operation was aborted', 'AbortError')))
}

/** @param parentEnd aborted where nothing may begin any more although this session has not ended */
export function createLifetime(state: Pick<StateHolder, 'current'>, parentEnd?: AbortSignal): Lifetime {
  // Made when it is first asked for: most sessions of a framework that opens one for each call never do.
  let controller: AbortController | undefined
  let signalOfEnd: AbortSignal | undefined
  let hasBegunEnd = false
  const endSignal = (): AbortSignal => {
    if (signalOfEnd !== undefined) return signalOfEnd
    controller = new AbortController()
    if (hasBegunEnd) abort(controller)
    const own = controller.signal
    return (signalOfEnd = parentEnd === undefined ? own : AbortSignal.any([own, parentEnd]))
  }
  let last: Promise<unknown> = Promise.resolve()
  const beside = new Set<Promise<unknown>>()
  const runUntilEnd: Lifetime['runUntilEnd'] = async (signal, work) => {
    try {
      return await work(signal === undefined ? endSignal() : AbortSignal.any([signal, endSignal()]))
    } catch (error) {
      signal?.throwIfAborted()
      if (error !== endSignal().reason) throw error
      return undefined
    }
  }
  return Object.assign(new SignalOf(endSignal), {
    hasEnded: () => state.current().ended || hasBegunEnd || parentEnd?.aborted === true,
    beginEnd() {
      hasBegunEnd = true
      if (controller !== undefined) abort(controller)
    },
    runExclusive<T>(work: () => T | Promise<T>, signal?: AbortSignal) {
      const before = last
      const result = before.then(() => {
        signal?.throwIfAborted()
        return work()
      })
      last = result.catch(() => undefined)
      return untilAborted(result, signal)
    },
    runUntilEnd,
    async runBeside<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => T | Promise<T>) {
      const running = runUntilEnd(signal, work)
      beside.add(running)
      try {
        return await running
      } finally {
        beside.delete(running)
      }
    },
    async settled() {
      await Promise.allSettled(beside)
    },
  })
}
