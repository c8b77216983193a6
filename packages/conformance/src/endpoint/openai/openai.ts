import { randomUUID } from 'node:crypto'
import type { Dialect, EncodedMessage } from '../dialect.ts'
import { absent, type Fields } from '../fields.ts'
import { type Exchange, type Protocol, routeOf, type WrittenAnswer } from '../protocol.ts'
import { type AnswerHead, completion, completionChunks, errorBody, usageOf } from './completion.ts'
import { nativeTools } from './native-tools.ts'

const MODEL = 'conformance-model'

/**
 * OpenAI chat completions, in JSON and as server-sent events. OpenAI API reference, "Chat".
 * @param dialect how tools and calls are written inside the messages
 */
export function openAIProtocol(dialect: Dialect = nativeTools): Protocol {
  const exchange: Exchange = {
    decode(body, { sent }) {
      checkFields(body)
      return dialect.decode(body, sent)
    },
    write: writeAnswer,
  }
  const models = { object: 'list', data: [{ id: MODEL, object: 'model', created: 0, owned_by: 'conformance' }] }
  const served = new Map([
    ['/v1/chat/completions', { method: 'POST', to: exchange }],
    ['/v1/models', { method: 'GET', to: { json: models } }],
  ])
  return {
    name: dialect.name,
    suffix: '/v1',
    model: MODEL,
    served: 'POST /chat/completions and GET /models',
    refusalOf({ headers }, apiKey) {
      if (headers.authorization === `Bearer ${apiKey}`) return undefined
      return { status: 401, message: 'came without the key of its play.', code: 'invalid_api_key' }
    },
    route: (head) => routeOf(head, served),
    encode: (message) => dialect.encode(message),
    error: ({ status, message, code }) => ({ body: errorBody(status, message, code) }),
  }
}

/** OpenAI API reference, "Create chat completion": the fields that are the same in every dialect. */
function checkFields({ model, stream, stream_options: options }: Fields): void {
  if (typeof model !== 'string' || model === '') throw new TypeError('You must provide a "model" parameter, a string.')
  if (!absent(stream) && typeof stream !== 'boolean') throw new TypeError('"stream" is not a boolean.')
  if (!absent(options) && stream !== true) {
    throw new TypeError('"stream_options" is only allowed when "stream" is true.')
  }
}

function writeAnswer(body: Fields, message: EncodedMessage): WrittenAnswer {
  const head: AnswerHead = {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    model: String(body.model),
  }
  const usage = usageOf(body, message)
  if (body.stream !== true) {
    return { contentType: 'application/json', parts: [JSON.stringify(completion(head, message, usage))] }
  }
  const chunks = completionChunks(head, message, wantsUsage(body) ? usage : undefined)
  return {
    contentType: 'text/event-stream; charset=utf-8',
    parts: [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'],
  }
}

function wantsUsage(body: Fields): boolean {
  const options = body.stream_options
  return typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
}
