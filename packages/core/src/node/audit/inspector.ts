import { checkOptions, number, type OptionTable, required, text, withDefault } from '@repertoire/skill-md/internal'
import type { AuditEvent, AuditSink } from '../../audit/events.ts'

/** Options of `inspectorSink`. */
export interface InspectorSinkOptions {
  /** The address that `repertoire inspect --live` prints, with its key: `http://127.0.0.1:4711/#key=…`. */
  readonly url: string
  /** How long one event may take, in milliseconds, more than 0. Default 2,000. */
  readonly timeout?: number | undefined
}

/** The options of `inspectorSink`. */
export const INSPECTOR_SINK_OPTIONS: OptionTable<InspectorSinkOptions> = {
  url: required(text),
  timeout: withDefault(2_000, number('ms', { above: 0 })),
}

/** How long nothing is sent after a failure, in milliseconds: an agent must not wait again and again. */
const PAUSE_MS = 5_000

/** The status for an event that is larger than the page takes. */
const TOO_LARGE = 413

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Sends events to the page of `repertoire inspect --live`, on this machine alone. If the page cannot be reached, the agent
 * goes on: the failure is reported once, and the next try is five seconds later.
 * @throws {TypeError} an option is unknown or has the wrong type, or the address is not that of an inspector
 */
export function inspectorSink(options: InspectorSinkOptions): AuditSink {
  checkOptions(
    'inspectorSink',
    INSPECTOR_SINK_OPTIONS,
    options,
    "inspectorSink({ url: 'http://127.0.0.1:4711/#key=…' })",
  )
  const { timeout = 2_000 } = options
  const { url, key, origin } = readAddress(options.url)
  let pausedUntil = -Infinity
  let missed = 0

  async function write(event: AuditEvent): Promise<void> {
    const before = missed
    missed = 0
    try {
      await send(event, before)
    } catch (error) {
      missed += before + 1
      throw error
    }
  }

  async function send(event: AuditEvent, before: number): Promise<void> {
    if (performance.now() < pausedUntil) throw unreachable(origin, 'the last try was less than five seconds ago')
    let status: number
    try {
      status = await post(url, { key, body: JSON.stringify(event), missed: before, timeout })
    } catch (error) {
      pausedUntil = performance.now() + PAUSE_MS
      throw unreachable(origin, reasonOf(error, timeout), error)
    }
    if (status === 204) return
    // One event that is too large says nothing of the next.
    if (status !== TOO_LARGE) pausedUntil = performance.now() + PAUSE_MS
    throw unreachable(origin, status === TOO_LARGE ? 'the event is too large for it' : `it answered ${status}`)
  }

  return { write }
}

interface Sent {
  readonly key: string
  readonly body: string
  /** How many events before it could not be sent. */
  readonly missed: number
  readonly timeout: number
}

/** Sends an event over a connection of its own, which no proxy of the process gets. Returns the status of the answer. */
async function post(url: string, { key, body, missed, timeout }: Sent): Promise<number> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const sent = request(
    url,
    {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(missed > 0 && { 'repertoire-missed': String(missed) }),
      },
      signal: AbortSignal.timeout(timeout),
    },
    (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    },
  )
  sent.once('error', reject)
  sent.end(body)
  return promise
}

function readAddress(given: string): { readonly url: string; readonly key: string; readonly origin: string } {
  const address = URL.canParse(given) ? new URL(given) : undefined
  const key = /^#key=([\w-]+)$/.exec(address?.hash ?? '')?.[1]
  if (address?.protocol !== 'http:' || key === undefined) {
    throw new TypeError(
      'inspectorSink: `url` is not the address of an inspector. Give the whole address that "repertoire inspect --live" printed, with its #key=….',
    )
  }
  if (!LOOPBACK.has(address.hostname)) {
    throw new TypeError(
      `inspectorSink: \`url\` leads to ${address.hostname}, another machine. Events stay on this one: give an address that begins with http://127.0.0.1.`,
    )
  }
  return { url: `${address.origin}/events`, key, origin: address.origin }
}

function unreachable(origin: string, reason: string, cause?: unknown): Error {
  return new Error(
    `The inspector at ${origin} cannot be reached: ${reason}. Start "repertoire inspect --live" and give inspectorSink the address that it prints.`,
    { cause },
  )
}

function reasonOf(error: unknown, timeout: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `it did not answer within ${timeout} ms`
  return (error as NodeJS.ErrnoException).code ?? error.message
}
