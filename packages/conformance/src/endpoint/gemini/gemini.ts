import type { RequestHead, Protocol, Refusal, Route } from '../protocol.ts'
import { decodeRequest } from './request.ts'
import { type Form, writeAnswer } from './response.ts'

/** Gemini's `generateContent`, in JSON and as server-sent events. Gemini API reference, "Generating content". */
export const geminiProtocol: Protocol = {
  name: 'Gemini',
  suffix: '',
  model: 'gemini-3-conformance',
  served: 'POST /v1beta/models/{model}:generateContent and :streamGenerateContent, and the same below /v1',
  refusalOf({ headers, query }, apiKey): Refusal | undefined {
    const key = headers['x-goog-api-key'] ?? query.get('key') ?? undefined
    if (key === apiKey) return undefined
    if (key === undefined) return { status: 403, message: 'came without a key, in "x-goog-api-key" or "?key=".' }
    return { status: 400, message: 'came without the key of its play.', code: 'API_KEY_INVALID' }
  },
  route,
  encode: ({ text, calls, ...more }) => ({ content: text ?? null, toolCalls: calls, ...more }),
  error: ({ status, message, code }) => ({
    body: { error: { code: status, message, status: statusName(status), ...(code !== undefined && details(code)) } },
  }),
}

function route({ method, path, query }: RequestHead): Route {
  const [, model, verb] = /^\/v1(?:beta)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/.exec(path) ?? []
  if (model === undefined || verb === undefined) return { status: 404 }
  if (method !== 'POST') return { status: 405 }
  const form = formOf(verb, query)
  return {
    decode: (body, { sent }) => ({ ...decodeRequest(body, decodeURIComponent(model), sent), stream: form !== 'whole' }),
    write: (body, message) => writeAnswer(body, message, { model: decodeURIComponent(model), form }),
  }
}

function formOf(verb: string, query: URLSearchParams): Form {
  if (verb === 'generateContent') return 'whole'
  return query.get('alt') === 'sse' ? 'events' : 'array'
}

/** Google API design guide, "Errors". */
const STATUS_NAMES: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [501, 'UNIMPLEMENTED'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
])

function statusName(status: number): string {
  return STATUS_NAMES.get(status) ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT')
}

function details(reason: string): object {
  return {
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }],
  }
}
