import { randomUUID } from 'node:crypto'
import { type Protocol, type Served, routeOf } from '../protocol.ts'
import { writeAnswer } from './message.ts'
import { countPrompt, decodeRequest } from './request.ts'

const SERVED = new Map<string, { method: string; to: Served }>([
  ['/v1/messages', { method: 'POST', to: { decode: decodeRequest, write: writeAnswer } }],
  ['/v1/messages/count_tokens', { method: 'POST', to: { answerTo: countPrompt } }],
])

/** Anthropic API reference, "Versions". For what is served here they are the same. */
const VERSIONS: ReadonlySet<unknown> = new Set(['2023-06-01', '2026-10-21'])

/** Anthropic Messages, in JSON and as server-sent events. Anthropic API reference, "Messages". */
export const anthropicProtocol: Protocol = {
  name: 'Anthropic Messages',
  suffix: '',
  model: 'claude-conformance',
  served: 'POST /v1/messages and /v1/messages/count_tokens',
  refusalOf({ headers }, apiKey) {
    // The vendor's own client sends the key as a bearer token since its first major version, others use the header.
    const key = headers['x-api-key'] ?? /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
    if (key !== apiKey) return { status: 401, message: 'came without the key of its play in "x-api-key".' }
    const version = headers['anthropic-version']
    if (VERSIONS.has(version)) return undefined
    const how =
      version === undefined ? 'without "anthropic-version"' : `with the "anthropic-version" ${String(version)}`
    return { status: 400, message: `came ${how}. Send one of ${[...VERSIONS].join(', ')}.` }
  },
  route: (head) => routeOf(head, SERVED),
  encode: ({ text, calls, reasoning }) => ({
    content: text ?? null,
    toolCalls: calls,
    ...(reasoning !== undefined && { reasoning }),
  }),
  error({ status, message }) {
    const id = `req_${randomUUID().replaceAll('-', '')}`
    return {
      headers: { 'request-id': id },
      body: { type: 'error', error: { type: errorType(status), message }, request_id: id },
    }
  },
}

/** Anthropic API reference, "Errors". */
const ERROR_TYPES: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
])

function errorType(status: number): string {
  return ERROR_TYPES.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
}
