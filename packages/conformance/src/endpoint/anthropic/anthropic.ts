import { randomUUID } from 'node:crypto'
import { encodeMessage } from '../answer.ts'
import { type Protocol, RefusedRequest, type Served } from '../protocol.ts'
import { writeAnswer } from './answer.ts'
import { countPrompt, decodeRequest } from './request.ts'

const SERVED = new Map<string, Served>([
  ['POST /v1/messages', { decode: decodeRequest, write: writeAnswer }],
  ['POST /v1/messages/count_tokens', { reply: countPrompt }],
])

/** Anthropic API reference, "Versions". For what is served here they are the same. */
const VERSIONS: ReadonlySet<unknown> = new Set(['2023-06-01', '2026-10-21'])

/** Anthropic Messages, in JSON and as server-sent events. Anthropic API reference, "Messages". */
export const anthropicProtocol: Protocol = {
  name: 'Anthropic Messages',
  suffix: '',
  model: 'claude-conformance',
  served: 'POST /v1/messages and /v1/messages/count_tokens',
  authorize({ headers }, apiKey) {
    // The vendor's own client sends the key as a bearer token since its first major version, others use the header.
    const key = headers['x-api-key'] ?? /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1]
    if (key !== apiKey) throw new RefusedRequest(401, 'The request came without the key of its play in "x-api-key".')
    const version = headers['anthropic-version']
    if (VERSIONS.has(version)) return
    throw new TypeError(`"anthropic-version" is ${String(version)}. Send one of ${[...VERSIONS].join(', ')}.`)
  },
  route: ({ method, path }) => SERVED.get(`${method} ${path}`),
  encode: encodeMessage,
  // Anthropic API reference, "Errors".
  errors: {
    401: 'authentication_error',
    402: 'billing_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    504: 'timeout_error',
    529: 'overloaded_error',
    client: 'invalid_request_error',
    server: 'api_error',
  },
  error(type, { message }) {
    const id = `req_${randomUUID().replaceAll('-', '')}`
    return { headers: { 'request-id': id }, body: { type: 'error', error: { type, message }, request_id: id } }
  },
}
