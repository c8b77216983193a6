import type { ProtocolName } from '@repertoire/conformance'
import type { IncomingHttpHeaders } from 'node:http'

/** The provider that is recorded. */
export interface TapeUpstream {
  /** As the adapter's vendor package takes it. */
  readonly baseURL: string
  readonly apiKey?: string | undefined
}

/** What a provider answered. */
export interface ProviderAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

const TIMEOUT_MS = 300_000
const HEADERS = ['accept', 'anthropic-version', 'anthropic-beta', 'openai-beta']

/** How each protocol takes a key. */
const KEY: Readonly<Record<ProtocolName, (key: string) => Readonly<Record<string, string>>>> = {
  openai: (key) => ({ authorization: `Bearer ${key}` }),
  'openai-responses': (key) => ({ authorization: `Bearer ${key}` }),
  anthropic: (key) => ({ 'x-api-key': key }),
  gemini: (key) => ({ 'x-goog-api-key': key }),
}

/** The end of a base URL by protocol. */
export function suffixOf(protocol: ProtocolName): string {
  return protocol.startsWith('openai') ? '/v1' : ''
}

/** Sends a request on. Redirects are not followed: the key is for this address alone. */
export async function askProvider(
  { baseURL, apiKey }: TapeUpstream,
  protocol: ProtocolName,
  request: { readonly path: string; readonly body: string; readonly headers: IncomingHttpHeaders },
  signal: AbortSignal,
): Promise<ProviderAnswer> {
  const kept = HEADERS.flatMap((name) => {
    const value = request.headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  const response = await fetch(`${baseURL.replace(/\/$/, '')}${request.path}`, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: {
      ...Object.fromEntries(kept),
      'content-type': 'application/json',
      ...(apiKey !== undefined && KEY[protocol](apiKey)),
    },
    body: request.body,
  })
  const contentType = response.headers.get('content-type') ?? 'application/json'
  return { status: response.status, contentType, text: await response.text() }
}
