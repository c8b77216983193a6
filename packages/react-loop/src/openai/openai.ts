import type OpenAI from 'openai'
import type { ClientOptions } from '../client-options.ts'
import type { Model, ModelRequest } from '../model.ts'
import { sendOnly } from '../headers.ts'
import { type VendorClient, vendorModel } from '../vendor-model.ts'
import { collectAnswer, readCompletion } from './answer.ts'
import { requestBody } from './messages.ts'

/** The model and its endpoint. Use `body` for fields such as `temperature` or `max_tokens`. */
export interface OpenAICompatibleOptions extends ClientOptions {
  /** Without `/chat/completions`, for example `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. Never read from the environment. */
  readonly apiKey?: string
}

/**
 * A model at any endpoint compatible with OpenAI's chat completions. It uses the `openai` package, which is loaded at
 * the first call. An error of the endpoint is thrown as that package's `APIError`, with its `status`; an unusable
 * answer, or a stream that ends early, as its `APIConnectionError`. Reasoning that the endpoint sends beside the text
 * (`reasoning_content` or `reasoning`) is sent back with its message.
 */
export function openAICompatible(options: OpenAICompatibleOptions): Model {
  return vendorModel(options, () => open(options))
}

async function open(options: OpenAICompatibleOptions): Promise<VendorClient<OpenAI.Chat.ChatCompletionChunk>> {
  const { baseURL, apiKey, headers, fetch, maxRetries, model } = options
  const { default: Client, APIConnectionError, OpenAIError } = await import('openai')
  // `null` omits the header.
  const defaultHeaders = { ...(apiKey === undefined && { Authorization: null }), ...headers }
  const client = new Client({
    baseURL,
    // Setting these prevents the package from reading environment variables: a key for one endpoint is not sent to
    // another.
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
  const body = (request: ModelRequest) => ({ ...options.body, ...requestBody(request, model), model })
  return {
    complete: async (request, { signal }) =>
      readCompletion(await completions.create({ ...body(request), stream: false }, { signal }), model),
    stream: (request, { signal }) =>
      completions.create({ ...body(request), stream: true, stream_options: { include_usage: true } }, { signal }),
    collect: () => collectAnswer(model),
    PackageError: OpenAIError,
    ConnectionError: APIConnectionError,
  }
}
