import type { AuditEvent, AuditSink } from './events.ts'
import { MAX_TIMER_MS } from '../ports/limits.ts'

/** One sink, with the events that wait for it. */
export interface Delivery {
  /**
   * Hands an event to the sink, behind those that came before it.
   * @returns undefined where it is taken already; else what settles when it is, and rejects where it is not
   */
  readonly deliver: (event: AuditEvent) => Promise<void> | undefined
  /** Settles when nothing waits any more. Never rejects. */
  readonly settled: () => Promise<void>
  /** Closes the sink when nothing waits any more. Rejects where its closing does, or takes too long. */
  readonly close: () => Promise<void>
}

/** Events that wait for one sink at the most: a slow one costs events, not the host's memory. */
const MAX_WAITING = 10_000

/**
 * Delivers to a sink one event after the other. One that does not answer in time has failed, and so have all events
 * from then on until it answers: nobody waits for a sink that hangs a second time.
 * @param timeout in milliseconds
 */
export function createDelivery(sink: AuditSink, timeout: number): Delivery {
  let last: Promise<void> | undefined
  let waiting = 0
  let hanging = false

  function write(event: AuditEvent): Promise<void> | undefined {
    if (hanging) throw new Error('it has not answered to an earlier event yet')
    const taking: unknown = sink.write(event)
    return isThenable(taking) ? inTime(Promise.resolve(taking)) : undefined
  }

  async function inTime(taking: Promise<unknown>): Promise<void> {
    const late = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => late.resolve('late'), Math.min(timeout, MAX_TIMER_MS))
    try {
      if ((await Promise.race([taking, late.promise])) !== 'late') return
    } finally {
      clearTimeout(timer)
    }
    hanging = true
    const back = (): void => {
      hanging = false
    }
    taking.then(back, back)
    throw new Error(`it did not answer within ${timeout} ms`)
  }

  function queued(work: () => Promise<void> | undefined): Promise<void> {
    waiting++
    const done = (last ?? Promise.resolve()).then(work)
    const after = done.then(over, over)
    last = after
    function over(): void {
      waiting--
      if (last === after) last = undefined
    }
    return done
  }

  return {
    deliver(event) {
      if (waiting >= MAX_WAITING) return Promise.reject(new Error(`${MAX_WAITING} events wait for it already`))
      // Behind others: in their order, and called in the context of whoever has the event, which tracing needs.
      if (last !== undefined) return queued(() => write(event))
      try {
        const taking = write(event)
        return taking === undefined ? undefined : queued(() => taking)
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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error('it threw what is no error', { cause: thrown })
}
