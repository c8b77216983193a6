import { encodeMessage } from '../answer.ts'
import { type Protocol, RefusedRequest } from '../protocol.ts'
import { writeAnswer } from './answer.ts'
import { decodeRequest } from './request.ts'

/** Gemini's `generateContent`, in JSON and as server-sent events. Gemini API reference, "Generating content". */
export const geminiProtocol: Protocol = {
  name: 'Gemini',
  suffix: '',
  model: 'gemini-3-conformance',
  served: 'POST /v1beta/models/{model}:generateContent and :streamGenerateContent?alt=sse, and the same below /v1',
  authorize({ headers, query }, apiKey) {
    const key = headers['x-goog-api-key'] ?? query.get('key') ?? undefined
    if (key === apiKey) return
    const message = 'The request came without the key of its play, in "x-goog-api-key" or "?key=".'
    throw key === undefined ? new RefusedRequest(403, message) : new RefusedRequest(400, message, 'API_KEY_INVALID')
  },
  route({ method, path, query }) {
    const [, name, verb] = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(path) ?? []
    const stream = verb === 'streamGenerateContent'
    if (method !== 'POST' || name === undefined || (stream && query.get('alt') !== 'sse')) return undefined
    const model = decodeURIComponent(name)
    return {
      decode: (body, { sent }) => ({ ...decodeRequest(body, model, sent), stream }),
      write: (body, message) => writeAnswer(body, message, { model, stream }),
    }
  },
  encode: ({ files, ...message }) => ({ ...encodeMessage(message), ...(files !== undefined && { files }) }),
  // Google API design guide, "Errors".
  errors: {
    401: 'UNAUTHENTICATED',
    403: 'PERMISSION_DENIED',
    404: 'NOT_FOUND',
    409: 'ABORTED',
    429: 'RESOURCE_EXHAUSTED',
    499: 'CANCELLED',
    501: 'UNIMPLEMENTED',
    503: 'UNAVAILABLE',
    504: 'DEADLINE_EXCEEDED',
    client: 'INVALID_ARGUMENT',
    server: 'INTERNAL',
  },
  error(name, { status, message, code: reason }) {
    const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }
    return {
      body: { error: { code: status, message, status: name, ...(reason !== undefined && { details: [info] }) } },
    }
  },
}
