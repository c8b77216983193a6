import type { Exchange, Protocol } from '../protocol.ts'
import { errorBody } from '../openai/completion.ts'
import { writeAnswer } from './answer.ts'
import { decodeRequest } from './request.ts'

const exchange: Exchange = { decode: decodeRequest, write: writeAnswer }

/** OpenAI Responses, in JSON and as server-sent events. OpenAI API reference, "Responses". */
export const responsesProtocol: Protocol = {
  name: 'OpenAI Responses',
  suffix: '/v1',
  model: 'gpt-5-conformance',
  served: 'POST /responses',
  refusalOf({ headers }, apiKey) {
    if (headers.authorization === `Bearer ${apiKey}`) return undefined
    return { status: 401, message: 'came without the key of its play.', code: 'invalid_api_key' }
  },
  route({ method, path }) {
    if (path !== '/v1/responses') return { status: 404 }
    return method === 'POST' ? exchange : { status: 405 }
  },
  encode: ({ text, calls, reasoning }) => ({
    content: text ?? null,
    toolCalls: calls,
    ...(reasoning !== undefined && { reasoning }),
  }),
  error: ({ status, message, code }) => ({ body: errorBody(status, message, code) }),
}
