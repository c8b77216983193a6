import type OpenAI from 'openai'
import type { ClientOptions } from '../client-options.ts'
import type { Model, ModelRequest } from '../model.ts'
import { sendOnly } from '../own-headers.ts'
import { type VendorClient, vendorModel } from '../vendor-model.ts'
import { collectAnswer, readCompletion } from './answer.ts'
import { requestBody } from './messages.ts'

/** Where a model is found and how it is spoken to. `body` is for fields such as `temperature` or `max_tokens`. */
export interface OpenAICompatibleOptions extends ClientOptions {
  /** Up to and without `/chat/completions`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. The environment is never read for one. */
  readonly apiKey?: string
}

/**
 * A model behind any endpoint that speaks OpenAI's chat completions, by the `openai` package, which is loaded at the
 * first call. What the endpoint answers with an error surfaces as that package's `APIError`, with its `status`; an
 * answer that is none, or a stream that ends early, as its `APIConnectionError`.
 */
export function openAICompatible(options: OpenAICompatibleOptions): Model {
  return vendorModel(options, () => open(options))
}

async function open(options: OpenAICompatibleOptions): Promise<VendorClient<OpenAI.Chat.ChatCompletionChunk>> {
  const { baseURL, apiKey, headers, fetch, maxRetries, model } = options
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
  const { completions } = client.chat
  const body = (request: ModelRequest) => ({ ...options.body, ...requestBody(request), model })
  return {
    complete: async (request, { signal }) =>
      readCompletion(await completions.create({ ...body(request), stream: false }, { signal })),
    stream: (request, { signal }) =>
      completions.create({ ...body(request), stream: true, stream_options: { include_usage: true } }, { signal }),
    collect: collectAnswer,
    OwnError: OpenAIError,
    ConnectionError: APIConnectionError,
  }
}
