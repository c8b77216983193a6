import { isThenable, TIMED_OUT, waitFor } from '../time-limit.ts'
import type { AuditEvent, AuditOptions, AuditSink } from './events.ts'
import { redactText } from './redact.ts'

/** Where the sessions of a repertoire write their events. */
export type AuditLog = NonNullable<ReturnType<typeof openAuditLog>>

interface SinkFailure {
  readonly sink: AuditSink
  readonly required: boolean
  readonly cause: unknown
}

const TIMEOUT_MS = 5_000

const MAX_PROMPT_CHARS = 32_000

/** The last time of a `Date`. */
const MAX_TIME_MS = 8.64e15

/**
 * Opens the log of the option `audit`; undefined if there is no sink, so that it costs nothing.
 * @throws {TypeError} it is required and has no sink
 */
export function openAuditLog(given: AuditSink | readonly AuditSink[] | AuditOptions) {
  // A sink may well have a property `sink`, for the one that it writes to.
  const options: AuditOptions = isList(given) || isSink(given) ? { sink: given } : given
  const { required = false, inputs = 'none', timeout = TIMEOUT_MS, now = Date.now } = options
  const sinks = [...new Set(isList(options.sink) ? options.sink : [options.sink])]
  if (required && sinks.length === 0)
    throw new TypeError('`audit` is required and has no sink, so nothing could ever be called. Give it one.')
  if (sinks.length === 0) return undefined
  const targets = sinks.map((sink) => ({ sink, delivery: createDelivery(sink, timeout) }))
  const each = async (what: (delivery: Delivery) => Promise<void>): Promise<void> => {
    const ends = await Promise.allSettled(targets.map(({ delivery }) => what(delivery)))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
  return {
    /** Milliseconds since 1970. */
    now: () => {
      // Every event needs a time, whatever the host's clock does.
      try {
        const at = now()
        return Math.abs(at) <= MAX_TIME_MS ? at : Date.now()
      } catch {
        return Date.now()
      }
    },
    inputs,
    /** Returns a text as an event may hold it. Never throws: programs without types may pass a number for an id. */
    text: (text: unknown) => redactText(String(text)),
    /** Returns the same of a system prompt, which may be longer. */
    prompt: (text: string) => redactText(text, MAX_PROMPT_CHARS),
    /**
     * Passes an event to every sink, and waits for the required sinks.
     * @param onFailure called for each sink that fails
     * @returns whether every required sink has written it
     */
    async write(event: AuditEvent, onFailure: (failure: SinkFailure) => void): Promise<boolean> {
      const waits: Promise<boolean>[] = []
      for (const { sink, delivery } of targets) {
        const delivered = delivery.deliver(event)?.then(
          () => true,
          (cause: unknown) => {
            onFailure({ sink, required, cause })
            return false
          },
        )
        if (delivered !== undefined && required) waits.push(delivered)
      }
      return waits.length === 0 || (await Promise.all(waits)).every(Boolean)
    },
    /** Waits until every sink has written its events, or has failed; at most the time limit of one event. */
    settled: async () => {
      await waitFor(
        each((delivery) => delivery.settled()),
        timeout,
      )
    },
    /** @throws what a sink's closing throws, when all are closed */
    close: () => each((delivery) => delivery.close()),
  }
}

function isSink(sink: AuditSink | AuditOptions): sink is AuditSink {
  return 'write' in sink && typeof sink.write === 'function'
}

function isList(value: unknown): value is readonly AuditSink[] {
  return Array.isArray(value)
}

/** One sink, with the events that wait for it. */
type Delivery = ReturnType<typeof createDelivery>

/** Events that wait for one sink: a slow one costs events, not the host's memory. */
const MAX_WAITING = 10_000

/**
 * Delivers to a sink one event after the other. A sink that does not answer in time has failed, and so have all events
 * from then on until it answers: a sink that hangs delays only one caller.
 */
function createDelivery(sink: AuditSink, timeoutMs: number) {
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
    /**
     * Passes an event to the sink, after all earlier events.
     * @returns undefined if the event is written already; otherwise a promise that rejects if it cannot be written
     */
    deliver(event: AuditEvent): Promise<void> | undefined {
      if (waiting >= MAX_WAITING) return Promise.reject(new Error(`${MAX_WAITING} events are waiting for it already`))
      // In order, and otherwise called in the context of the caller, which tracing needs.
      if (last !== undefined) return enqueue(() => write(event))
      try {
        const writing = write(event)
        return writing === undefined ? undefined : enqueue(() => writing)
      } catch (error) {
        return Promise.reject(error)
      }
    },
    /** Resolves when nothing waits any more. Never rejects. */
    settled: async () => last,
    /** Closes the sink when nothing waits any more. Rejects if closing fails, or takes too long. */
    async close() {
      await last
      const closing: unknown = sink.close?.()
      if (isThenable(closing)) await inTime(Promise.resolve(closing))
    },
  }
}
