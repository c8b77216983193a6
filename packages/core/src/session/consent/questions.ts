import { SkillError } from '@repertoire/skill-md/internal'
import { TIMED_OUT, untilAborted, waitFor } from '../../time-limit.ts'

/** The questions of a repertoire's sessions. A session and its forks are one task, which asks one question at a time. */
export interface Questions {
  /**
   * Does work that may ask, after all that was begun before it for the task. Its place is taken at once.
   * @throws what the work throws; the signal's reason, also while it waits for its turn
   */
  readonly inTurn: <T>(task: string, work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>
  /**
   * Asks. The time limit starts now. The signal that the question is given aborts once it is settled.
   * @throws {SkillError} TIMED_OUT: there is no answer in time
   * @throws what the question throws; the signal's reason
   */
  readonly ask: <T>(
    task: string,
    question: (signal: AbortSignal) => T | PromiseLike<T>,
    options: AskOptions,
  ) => Promise<T>
  /**
   * Whether a handler that is being asked for this task begins work: before its first `await`, or with the signal that it
   * was given. A handler that waits for such work would wait for itself.
   */
  readonly isInHandler: (task: string, signal: AbortSignal | undefined) => boolean
}

interface AskOptions {
  /** How long an answer may take, in milliseconds. `Infinity`: no limit. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export function createQuestions(): Questions {
  /** By task: settles when all work that has taken its place is done. */
  const queues = new Map<string, Promise<unknown>>()
  const handlerSignals = new WeakMap<AbortSignal, string>()
  let callingFor: string | undefined

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

  return {
    inTurn(task, work, signal) {
      const before = queues.get(task)
      // At once where nothing is before it: calls that need no turn are carried out in their order, too.
      const result = (async () => {
        if (before !== undefined) await untilAborted(before, signal)
        signal?.throwIfAborted()
        return work()
      })()
      // Work that is given up leaves its place to those behind it, and those before it keep theirs.
      const last = Promise.allSettled([before, result])
      queues.set(task, last)
      void last.then(() => {
        if (queues.get(task) === last) queues.delete(task)
      })
      return result
    },
    async ask(task, question, { timeoutMs, signal }) {
      const settled = new AbortController()
      handlerSignals.set(settled.signal, task)
      try {
        const answering = (async () => callHandler(task, () => question(settled.signal)))()
        const answer = await waitFor(answering, timeoutMs, signal)
        signal?.throwIfAborted()
        if (answer === TIMED_OUT) throw new SkillError('TIMED_OUT', `Nobody answered within ${timeoutMs} ms.`)
        return answer as Awaited<typeof answering>
      } finally {
        settled.abort(new DOMException('The question is settled.', 'AbortError'))
      }
    },
    isInHandler: (task, signal) => task === (callingFor ?? (signal && handlerSignals.get(signal))),
  }
}
