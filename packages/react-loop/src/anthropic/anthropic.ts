import type Anthropic from '@anthropic-ai/sdk'
import type { Model, ModelRequest } from '../model.ts'
import { sendOnly } from '../own-headers.ts'
import { vendorPackage } from '../vendor-package.ts'
import { answerOf, collectAnswer, readMessage } from './answer.ts'
import { requestBody } from './messages.ts'

/** Which model is spoken to, and how. */
export interface AnthropicOptions {
  readonly model: string
  /** Sent as `x-api-key`. The environment is never read for one. */
  readonly apiKey: string
  /** Up to and without `/v1/messages`. Default: `https://api.anthropic.com`. */
  readonly baseURL?: string
  /** Tokens of one answer at the most, thinking included. Default 16,384. */
  readonly maxTokens?: number
  /** Of every request, such as `anthropic-beta`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of every request, such as `temperature` or `thinking`. Those of the loop's own win. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** How often a request is repeated after 408, 409, 429, 5xx and lost connections. Default 2. */
  readonly maxRetries?: number
}

/**
 * A model behind the Messages API of Anthropic's, or an endpoint that speaks it, by the `@anthropic-ai/sdk` package,
 * which is loaded at the first call. Thinking is kept out of the text, and goes back with the message it belongs to. What
 * the endpoint answers with an error surfaces as that package's `APIError`, with its `status`; an answer that is none,
 * or a stream that ends early, as its `APIConnectionError`.
 * @throws {TypeError} `apiKey` is empty, or `maxTokens` is no whole number of 1 or more
 */
export function anthropic(options: AnthropicOptions): Model {
  const { model, apiKey, maxTokens = 16_384 } = options
  if (apiKey === '') throw new TypeError('apiKey is empty. Give the key of the endpoint.')
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError(`maxTokens is ${maxTokens}. Give a whole number of 1 or more.`)
  }
  let connected: Promise<Connection> | undefined
  const connect = (): Promise<Connection> => (connected ??= open(options))
  const body = (request: ModelRequest) => ({
    ...options.body,
    ...requestBody(request),
    model,
    max_tokens: maxTokens,
  })

  return {
    name: model,
    async complete(request, { signal }) {
      const { client, broken } = await connect()
      const answer = readMessage(await client.messages.create({ ...body(request), stream: false }, { signal }))
      if (answer === undefined) throw broken('without a message in it')
      return answerOf(answer)
    },
    async *stream(request, { signal }) {
      const { client, broken } = await connect()
      const events = await client.messages.create({ ...body(request), stream: true }, { signal })
      const pieces = collectAnswer()
      try {
        for await (const event of events) {
          const text = pieces.add(event)
          if (text !== '') yield { type: 'text', text }
        }
      } catch (error) {
        throw broken('that broke off', error)
      }
      const answer = pieces.whole()
      if (answer === undefined) throw broken('that ended before the model did')
      yield { type: 'answer', answer: answerOf(answer) }
    },
  }
}

interface Connection {
  readonly client: Anthropic
  /** The error for an answer that cannot be used; errors of the package's own are left as they are. */
  readonly broken: (how: string, cause?: unknown) => unknown
}

async function open(options: AnthropicOptions): Promise<Connection> {
  const { model, apiKey, baseURL = 'https://api.anthropic.com', headers, fetch, maxRetries } = options
  const {
    default: Client,
    APIConnectionError,
    AnthropicError,
  } = await vendorPackage('anthropic', '@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'))
  const defaultHeaders = {
    // As every server of this language knows a key; the package's own way is newer.
    Authorization: null,
    'x-api-key': apiKey,
    // The version that this client is written for, whatever the package's.
    'anthropic-version': '2023-06-01',
    ...headers,
  }
  const client = new Client({
    baseURL,
    // Set, these keep the package from its environment variables, and from looking for keys elsewhere.
    apiKey,
    webhookKey: null,
    openTelemetry: false,
    defaultHeaders,
    // Minutes that the package has by default. Where they are given it takes any `max_tokens` without a stream.
    timeout: 600_000,
    ...(fetch !== undefined && { fetch }),
    ...(maxRetries !== undefined && { maxRetries }),
  })
  sendOnly(client, defaultHeaders)
  return {
    client,
    broken(how, cause) {
      if (cause instanceof AnthropicError) return cause
      const message = `The endpoint ${baseURL} gave an answer of "${model}" ${how}. Run the conversation again.`
      return new APIConnectionError({ message, ...(cause instanceof Error && { cause }) })
    },
  }
}
