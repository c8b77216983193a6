import type { Dialect } from '../dialect.ts'
import { absent, type Fields, flag, string } from '../fields.ts'
import { type Exchange, type Protocol, RefusedRequest } from '../protocol.ts'
import { writeCompletion } from './completion.ts'
import { nativeTools } from './native-tools.ts'

/** What all of OpenAI's APIs have in common. OpenAI API reference, "Authentication", "Error codes". */
export const openAIVendor: Pick<Protocol, 'suffix' | 'authorize' | 'errors' | 'error'> = {
  suffix: '/v1',
  authorize({ headers }, apiKey) {
    if (headers.authorization === `Bearer ${apiKey}`) return
    throw new RefusedRequest(401, 'The request came without the key of its play.', 'invalid_api_key')
  },
  errors: { 429: 'rate_limit_error', client: 'invalid_request_error', server: 'server_error' },
  error: (type, { message, code = null }) => ({ body: { error: { message, type, param: null, code } } }),
}

/**
 * OpenAI chat completions, in JSON and as server-sent events. OpenAI API reference, "Chat".
 * @param dialect how tools and calls are written inside the messages
 */
export function openAIProtocol(dialect: Dialect = nativeTools): Protocol {
  const exchange: Exchange = {
    decode(body, { sent }) {
      checkStream(body)
      return dialect.decode(body, sent)
    },
    write: writeCompletion,
  }
  return {
    ...openAIVendor,
    name: dialect.name,
    model: 'conformance-model',
    served: 'POST /chat/completions',
    route: ({ method, path }) => (`${method} ${path}` === 'POST /v1/chat/completions' ? exchange : undefined),
    encode: (message) => dialect.encode(message),
  }
}

/**
 * Checks what all of OpenAI's APIs want of a body.
 * @throws {TypeError} naming the field
 */
export function checkStream({ model, stream, stream_options: options }: Fields): void {
  string(model, 'model')
  if (!flag(stream, 'stream') && !absent(options)) {
    throw new TypeError('stream_options is only allowed when "stream" is true.')
  }
}
