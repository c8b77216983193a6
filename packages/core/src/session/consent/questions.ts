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
   * Asks. The time limit starts now (`Infinity`: none). The signal that the question is given aborts once it is settled.
   * @throws {SkillError} TIMED_OUT: there is no answer in time
   * @throws what the question throws; the signal's reason
   */
  readonly ask: <T>(
    question: (signal: AbortSignal) => T | PromiseLike<T>,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ) => Promise<T>
}

export function createQuestions(): Questions {
  /** By task: settles when all work that has taken its place is done. */
  const queues = new Map<string, Promise<unknown>>()
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
    async ask(question, { timeoutMs, signal }) {
      const settled = new AbortController()
      try {
        const answering = (async () => question(settled.signal))()
        const answer = await waitFor(answering, timeoutMs, signal)
        signal?.throwIfAborted()
        if (answer === TIMED_OUT) throw new SkillError('TIMED_OUT', `Nobody answered within ${timeoutMs} ms.`)
        return answer as Awaited<typeof answering>
      } finally {
        settled.abort(new DOMException('The question is settled.', 'AbortError'))
      }
    },
  }
}
