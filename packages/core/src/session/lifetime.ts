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
  /**
   * Does the same, beside all other work. Where its own run is aborted it throws at once; `settled` still waits for the
   * work.
   */
  readonly runBeside: Lifetime['runUntilEnd']
  /** Waits until nothing runs beside any more. */
  readonly settled: () => Promise<void>
}

/** The reason of all ends. One for all sessions: to make one takes longer than a whole end without it. */
let endReason: DOMException | undefined

function abort(controller: AbortController): void {
  controller.abort((endReason ??= new DOMException('This operation was aborted', 'AbortError')))
}

/** @param parentEnd aborted where nothing may begin any more although this session has not ended */
export function createLifetime(state: Pick<StateHolder, 'current'>, parentEnd?: AbortSignal): Lifetime {
  return new SessionLifetime(state, parentEnd)
}

/** A class, and its parts are made when they are first needed: most sessions of a framework that opens one for each call need none. */
class SessionLifetime implements Lifetime {
  readonly #state: Pick<StateHolder, 'current'>
  readonly #parentEnd: AbortSignal | undefined
  #controller: AbortController | undefined
  #endSignal: AbortSignal | undefined
  #hasBegunEnd = false
  #last: Promise<unknown> | undefined
  #beside: Set<Promise<unknown>> | undefined

  constructor(state: Pick<StateHolder, 'current'>, parentEnd: AbortSignal | undefined) {
    this.#state = state
    this.#parentEnd = parentEnd
  }

  get endSignal(): AbortSignal {
    if (this.#endSignal !== undefined) return this.#endSignal
    this.#controller = new AbortController()
    if (this.#hasBegunEnd) abort(this.#controller)
    const own = this.#controller.signal
    return (this.#endSignal = this.#parentEnd === undefined ? own : AbortSignal.any([own, this.#parentEnd]))
  }

  hasEnded(): boolean {
    return this.#state.current().ended || this.#hasBegunEnd || this.#parentEnd?.aborted === true
  }

  beginEnd(): void {
    this.#hasBegunEnd = true
    if (this.#controller !== undefined) abort(this.#controller)
  }

  runExclusive<T>(work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last ?? Promise.resolve()
    const result = before.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#last = result.catch(() => undefined)
    return untilAborted(result, signal)
  }

  async runUntilEnd<T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => T | Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work(signal === undefined ? this.endSignal : AbortSignal.any([signal, this.endSignal]))
    } catch (error) {
      signal?.throwIfAborted()
      if (error !== this.endSignal.reason) throw error
      return undefined
    }
  }

  async runBeside<T>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => T | Promise<T>,
  ): Promise<T | undefined> {
    const beside = (this.#beside ??= new Set())
    const running = this.runUntilEnd(signal, work)
    beside.add(running)
    const remove = (): unknown => beside.delete(running)
    running.then(remove, remove)
    return untilAborted(running, signal)
  }

  async settled(): Promise<void> {
    if (this.#beside !== undefined) await Promise.allSettled(this.#beside)
  }
}
