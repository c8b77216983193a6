import type Anthropic from '@anthropic-ai/sdk'
import { type ClientOptions, refuseEmptyKey } from '../client-options.ts'
import type { Model, ModelRequest } from '../model.ts'
import { sendOnly } from '../own-headers.ts'
import { type VendorClient, vendorModel } from '../vendor-model.ts'
import { vendorPackage } from '../vendor-package.ts'
import { collectAnswer, readMessage } from './answer.ts'
import { requestBody } from './messages.ts'

/**
 * Which model is spoken to, and how. `headers` are for such as `anthropic-beta`, `body` for fields such as `temperature`
 * or `thinking`.
 */
export interface AnthropicOptions extends ClientOptions {
  /** Sent as `x-api-key`. The environment is never read for one. */
  readonly apiKey: string
  /** Up to and without `/v1/messages`. Default: `https://api.anthropic.com`. */
  readonly baseURL?: string
  /** Tokens of one answer at the most, thinking included. Default 16,384. */
  readonly maxTokens?: number
}

/**
 * A model behind the Messages API of Anthropic's, or an endpoint that speaks it, by the `@anthropic-ai/sdk` package,
 * which is loaded at the first call. Thinking is kept out of the text, and goes back with the message it belongs to. What
 * the endpoint answers with an error surfaces as that package's `APIError`, with its `status`; an answer that is none,
 * or a stream that ends early, as its `APIConnectionError`.
 * @throws {TypeError} `apiKey` is empty, or `maxTokens` is not a whole number of 1 or more
 */
export function anthropic(options: AnthropicOptions): Model {
  const { maxTokens = 16_384, baseURL = 'https://api.anthropic.com' } = options
  refuseEmptyKey(options.apiKey)
  if (!Number.isInteger(maxTokens) || maxTokens < 1) {
    throw new TypeError(`maxTokens is ${maxTokens}. Give a whole number of 1 or more.`)
  }
  const settled = { ...options, maxTokens, baseURL }
  return vendorModel(settled, () => open(settled))
}

async function open(
  options: Required<Pick<AnthropicOptions, 'baseURL' | 'maxTokens'>> & AnthropicOptions,
): Promise<VendorClient<Anthropic.RawMessageStreamEvent>> {
  const { model, apiKey, baseURL, headers, fetch, maxRetries, maxTokens } = options
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
    OwnError: AnthropicError,
    ConnectionError: APIConnectionError,
  }
}
