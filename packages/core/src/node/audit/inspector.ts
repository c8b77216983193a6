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

  async function write(event: AuditEvent): Promise<void> {
    if (performance.now() < pausedUntil) throw unreachable(origin, 'the last try was less than five seconds ago')
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(event),
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`it answered ${response.status}`)
    } catch (error) {
      pausedUntil = performance.now() + PAUSE_MS
      throw unreachable(origin, reasonOf(error, timeout), error)
    }
  }

  return { write }
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
  if (error.name === 'TimeoutError') return `it did not answer within ${timeout} ms`
  const { cause } = error
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : error.message
}
