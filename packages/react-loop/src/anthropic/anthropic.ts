import { checkOptions, number, type OptionTable, required, text, withDefault } from '@repertoire/core/options'
import type Anthropic from '@anthropic-ai/sdk'
import { API_KEY, CLIENT_OPTIONS, type ClientOptions } from '../client-options.ts'
import type { Model, ModelRequest } from '../model.ts'
import { type VendorClient, sendOnly, vendorModel, notInstalled } from '../vendor-model.ts'
import { collectAnswer, readMessage } from './answer.ts'
import { requestBody } from './messages.ts'

/**
 * The model and its endpoint. Use `headers` for `anthropic-beta`, for example, and `body` for fields such as
 * `temperature` or `thinking`.
 */
export interface AnthropicOptions extends ClientOptions {
  /** Sent as `x-api-key`. Never read from the environment. */
  readonly apiKey: string
  /** The endpoint's address, without `/v1/messages`. Default: `https://api.anthropic.com`. */
  readonly baseURL?: string | undefined
  /** The maximum number of tokens of one answer, thinking included. Default 16,384. */
  readonly maxTokens?: number | undefined
}

const OPTIONS: OptionTable<AnthropicOptions> = {
  ...CLIENT_OPTIONS,
  apiKey: required(API_KEY),
  baseURL: text,
  maxTokens: withDefault(16_384, number('tokens', { from: 1, isWhole: true })),
}

/**
 * A model with Anthropic's Messages API, or at an endpoint compatible with it. It uses the `@anthropic-ai/sdk` package,
 * which is loaded at the first call. Thinking is not part of the text, and is sent back with its message. An error of
 * the endpoint is thrown as that package's `APIError`, with its `status`; an unusable answer, or a stream that ends
 * early, as its `APIConnectionError`.
 * @throws {TypeError} an option has an unknown name, is missing, or has a value of the wrong kind
 */
export function anthropic(options: AnthropicOptions): Model {
  checkOptions('anthropic', OPTIONS, options)
  const { maxTokens = 16_384, baseURL = 'https://api.anthropic.com' } = options
  const settled = { ...options, maxTokens, baseURL }
  return vendorModel(settled, () => open(settled))
}

async function load() {
  try {
    return await import('@anthropic-ai/sdk')
  } catch (cause) {
    throw notInstalled('anthropic', '@anthropic-ai/sdk', cause)
  }
}

async function open(
  options: AnthropicOptions & { readonly baseURL: string; readonly maxTokens: number },
): Promise<VendorClient<Anthropic.RawMessageStreamEvent>> {
  const { model, apiKey, baseURL, headers, fetch, maxRetries, maxTokens } = options
  const { default: Client, APIConnectionError, AnthropicError } = await load()
  const defaultHeaders = {
    // The header that every compatible server knows; the package's own is newer.
    Authorization: null,
    'x-api-key': apiKey,
    // The API version that this client is written for, independent of the package's.
    'anthropic-version': '2023-06-01',
    ...headers,
  }
  const client = new Client({
    baseURL,
    // Setting these prevents the package from reading environment variables and looking for keys elsewhere.
    apiKey,
    webhookKey: null,
    openTelemetry: false,
    defaultHeaders,
    // The package's default. If it is set explicitly, the package accepts any `max_tokens` without streaming.
    timeout: 600_000,
    fetch,
    maxRetries,
  })
  sendOnly(client, defaultHeaders)
  const { messages } = client
  const body = (request: ModelRequest) => ({
    ...options.body,
    ...requestBody(request),
    model,
    max_tokens: maxTokens,
  })
  return {
    complete: async (request, { signal }) =>
      readMessage(await messages.create({ ...body(request), stream: false }, { signal })),
    stream: (request, { signal }) => messages.create({ ...body(request), stream: true }, { signal }),
    collect: collectAnswer,
    PackageError: AnthropicError,
    ConnectionError: APIConnectionError,
  }
}
