import { checkOptions, type OptionTable, required, text } from '@repertoire/skill-md/internal'
import type { AuditSink } from '../../audit/events.ts'

/** Options of `inspectorSink`. */
export interface InspectorSinkOptions {
  /** The address that `repertoire inspect --live` prints, with its key: `http://127.0.0.1:4711/#key=…`. */
  readonly url: string
}

const INSPECTOR_SINK_OPTIONS: OptionTable<InspectorSinkOptions> = {
  url: required(text),
}

const TIMEOUT_MS = 2_000

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Sends events to the page of `repertoire inspect --live`, on this machine alone. If the page cannot be reached, the
 * agent goes on, and the failure is reported once.
 * @throws {TypeError} an option is unknown or has the wrong type, or the address is not that of an inspector
 */
export function inspectorSink(options: InspectorSinkOptions): AuditSink {
  checkOptions(
    'inspectorSink',
    INSPECTOR_SINK_OPTIONS,
    options,
    "inspectorSink({ url: 'http://127.0.0.1:4711/#key=…' })",
  )
  const { url, key, origin } = readAddress(options.url)
  return {
    async write(event) {
      const status = await post(url, key, JSON.stringify(event)).catch((error: unknown) => {
        throw unreachable(origin, reasonOf(error), error)
      })
      if (status !== 204) throw unreachable(origin, `it answered ${status}`)
    },
  }
}

/** Sends an event over its own connection, which no proxy of the process gets. Returns the answer's status. */
async function post(url: string, key: string, body: string): Promise<number> {
  const { request } = await import('node:http')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const sent = request(url, { method: 'POST', agent: false, headers, signal }, (response) => {
    response.resume()
    resolve(response.statusCode ?? 0)
  })
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

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `it did not answer within ${TIMEOUT_MS} ms`
  return (error as NodeJS.ErrnoException).code ?? error.message
}
