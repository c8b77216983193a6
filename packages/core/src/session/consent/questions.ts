import { SkillError } from '@repertoire/skill-md/internal'
import { TIMED_OUT, untilAborted, waitFor } from '../../time-limit.ts'

/** The questions of a repertoire's sessions. A session and its forks are one task, which asks one question at a time. */
export interface Questions {
  /** Returns a place in the queue of a task. Questions are asked in the order in which places were taken. */
  readonly placeFor: (task: string) => Place
  /** Does work with a place in the queue of a task, which is taken at once and released in the end. */
  readonly withPlace: <T>(task: string, work: (place: Place) => Promise<T>) => Promise<T>
  /**
   * Whether a handler that is being asked for this task begins work: before its first `await`, or with the signal that it
   * was given. A handler that waits for such work would wait for itself.
   */
  readonly isInHandler: (task: string, signal: AbortSignal | undefined) => boolean
}

/** A place in the queue of a task's questions. */
export interface Place {
  /** Takes the next free place. Call it when a call begins, before anything is waited for. */
  readonly take: () => void
  /**
   * Asks, once every place before this one is released. The time limit starts then. Takes a place if none is taken.
   * @throws {SkillError} TIMED_OUT: there is no answer in time
   * @throws what the question throws; the signal's reason. The next question is then asked
   */
  readonly ask: <T>(question: (signal: AbortSignal) => T | PromiseLike<T>, options: AskOptions) => Promise<T>
  /** Gives the place up, so that the next question is asked. Safe to repeat. */
  readonly release: () => void
}

export interface AskOptions {
  /** How long an answer may take, in milliseconds. `Infinity`: no limit. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export function createQuestions(): Questions {
  /** By task: settles when every place that was taken is released. */
  const queues = new Map<string, Promise<unknown>>()
  const handlerSignals = new WeakMap<AbortSignal, string>()
  let callingFor: string | undefined

  function takePlace(task: string): { readonly before: Promise<unknown>; readonly release: () => void } {
    const before = queues.get(task) ?? Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    const last = Promise.all([before, promise])
    queues.set(task, last)
    void last.then(() => {
      if (queues.get(task) === last) queues.delete(task)
    })
    return { before, release: resolve }
  }

  /** Notes for whom a handler is called, until it returns or first waits. */
  function callHandler<T>(task: string, handler: () => T): T {
    const outer = callingFor
    callingFor = task
    try {
      return handler()
    } finally {
      callingFor = outer
    }
  }

  function placeFor(task: string): Place {
    let place: ReturnType<typeof takePlace> | undefined
    const take = (): void => void (place ??= takePlace(task))
    const release = (): void => {
      place?.release()
      place = undefined
    }
    return {
      take,
      release,
      async ask(question, { timeoutMs, signal }) {
        take()
        const settled = new AbortController()
        handlerSignals.set(settled.signal, task)
        try {
          await untilAborted(place!.before, signal)
          signal?.throwIfAborted()
          const answering = (async () => callHandler(task, () => question(settled.signal)))()
          const answer = await waitFor(answering, timeoutMs, signal)
          signal?.throwIfAborted()
          if (answer === TIMED_OUT) throw new SkillError('TIMED_OUT', `Nobody answered within ${timeoutMs} ms.`)
          return answer as Awaited<typeof answering>
        } catch (error) {
          release()
          throw error
        } finally {
          settled.abort(new DOMException('The question is settled.', 'AbortError'))
        }
      },
    }
  }

  return {
    placeFor,
    async withPlace(task, work) {
      const place = placeFor(task)
      place.take()
      try {
        return await work(place)
      } finally {
        place.release()
      }
    },
    isInHandler: (task, signal) => task === (callingFor ?? (signal && handlerSignals.get(signal))),
  }
}
