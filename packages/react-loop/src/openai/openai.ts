import type OpenAI from 'openai'
import type { Model, ModelRequest } from '../model.ts'
import { sendOnly } from '../own-headers.ts'
import { answerOf, collectAnswer, readCompletion } from './answer.ts'
import { requestBody } from './messages.ts'

/** Where a model is found and how it is spoken to. */
export interface OpenAICompatibleOptions {
  /** Up to and without `/chat/completions`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string
  readonly model: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. The environment is never read for one. */
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of every request, such as `temperature` or `max_tokens`. Those of the loop's own win. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** How often a request is repeated after 408, 409, 429, 5xx and lost connections. Default 2. */
  readonly maxRetries?: number
}

/**
 * A model behind any endpoint that speaks OpenAI's chat completions, by the `openai` package, which is loaded at the
 * first call. What the endpoint answers with an error surfaces as that package's `APIError`, with its `status`; an
 * answer that is none, or a stream that ends early, as its `APIConnectionError`.
 */
export function openAICompatible(options: OpenAICompatibleOptions): Model {
  let connected: Promise<Connection> | undefined
  const connect = (): Promise<Connection> => (connected ??= open(options))
  const body = (request: ModelRequest) => ({ ...options.body, ...requestBody(request), model: options.model })

  return {
    name: options.model,
    async complete(request, { signal }) {
      const { client, broken } = await connect()
      const completion = await client.chat.completions.create({ ...body(request), stream: false }, { signal })
      const answer = readCompletion(completion)
      if (answer === undefined) throw broken('without a message in it')
      return answerOf(answer)
    },
    async *stream(request, { signal }) {
      const { client, broken } = await connect()
      const chunks = await client.chat.completions.create(
        { ...body(request), stream: true, stream_options: { include_usage: true } },
        { signal },
      )
      const pieces = collectAnswer()
      try {
        for await (const chunk of chunks) {
          const text = pieces.add(chunk)
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
  readonly client: OpenAI
  /** The error for an answer that cannot be used; errors of the package's own are left as they are. */
  readonly broken: (how: string, cause?: unknown) => unknown
}

async function open({
  baseURL,
  apiKey,
  headers,
  fetch,
  maxRetries,
  model,
}: OpenAICompatibleOptions): Promise<Connection> {
  const { default: Client, APIConnectionError, OpenAIError } = await import('openai')
  // `null` sends no such header.
  const defaultHeaders = { ...(apiKey === undefined && { Authorization: null }), ...headers }
  const client = new Client({
    baseURL,
    // Set, these keep the package from its environment variables: a key for one endpoint is not sent to another.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders,
    ...(fetch !== undefined && { fetch }),
    ...(maxRetries !== undefined && { maxRetries }),
  })
  sendOnly(client, defaultHeaders)
  return {
    client,
    broken(how, cause) {
      if (cause instanceof OpenAIError) return cause
      const message = `The endpoint ${baseURL} gave an answer of "${model}" ${how}. Run the conversation again.`
      return new APIConnectionError({ message, ...(cause instanceof Error && { cause }) })
    },
  }
}
