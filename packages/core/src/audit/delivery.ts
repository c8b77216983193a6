import { isThenable, TIMED_OUT, waitFor } from '../time-limit.ts'
import type { AuditEvent, AuditSink } from './events.ts'

/** One sink, with the events that wait for it. */
export interface Delivery {
  /**
   * Passes an event to the sink, after those that came before it.
   * @returns undefined where it is written already; otherwise a promise that rejects where it could not be written
   */
  readonly deliver: (event: AuditEvent) => Promise<void> | undefined
  /** Resolves when nothing waits any more. Never rejects. */
  readonly settled: () => Promise<void>
  /** Closes the sink when nothing waits any more. Rejects where its closing fails, or takes too long. */
  readonly close: () => Promise<void>
}

/** Events that wait for one sink: a slow one costs events, not the host's memory. */
const MAX_WAITING = 10_000

/**
 * Delivers to a sink one event after the other. A sink that does not answer in time has failed, and so have all events
 * from then on until it answers: nobody waits twice for a sink that hangs.
 */
export function createDelivery(sink: AuditSink, timeoutMs: number): Delivery {
  let last: Promise<void> | undefined
  let waiting = 0
  let hanging = false

  function write(event: AuditEvent): Promise<void> | undefined {
    if (hanging) throw new Error('it has not finished with an earlier event yet')
    const writing: unknown = sink.write(event)
    return isThenable(writing) ? inTime(Promise.resolve(writing)) : undefined
  }

  async function inTime(work: Promise<unknown>): Promise<void> {
    if ((await waitFor(work, timeoutMs)) !== TIMED_OUT) return
    hanging = true
    const recover = (): void => {
      hanging = false
    }
    work.then(recover, recover)
    throw new Error(`it did not answer within ${timeoutMs} ms`)
  }

  function enqueue(work: () => Promise<void> | undefined): Promise<void> {
    waiting++
    const done = (last ?? Promise.resolve()).then(work)
    const after = done.then(dequeue, dequeue)
    last = after
    function dequeue(): void {
      waiting--
      if (last === after) last = undefined
    }
    return done
  }

  return {
    deliver(event) {
      if (waiting >= MAX_WAITING) return Promise.reject(new Error(`${MAX_WAITING} events are waiting for it already`))
      // In order, and otherwise called in the context of the caller, which tracing needs.
      if (last !== undefined) return enqueue(() => write(event))
      try {
        const writing = write(event)
        return writing === undefined ? undefined : enqueue(() => writing)
      } catch (error) {
        return Promise.reject(asError(error))
      }
    },
    settled: async () => last,
    async close() {
      await last
      const closing: unknown = sink.close?.()
      if (isThenable(closing)) await inTime(Promise.resolve(closing))
    },
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('it threw something that is not an error', { cause: thrown })
}
