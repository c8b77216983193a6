import { checkOptions, type OptionTable, text } from '@repertoire/core/options'
import type OpenAI from 'openai'
import { API_KEY, CLIENT_OPTIONS, type ClientOptions } from '../client-options.ts'
import type { Model, ModelRequest } from '../model.ts'
import { checkKey, openOpenAI } from '../openai/client.ts'
import { type VendorClient, vendorModel } from '../vendor-model.ts'
import { collectAnswer, readResponse } from './answer.ts'
import { requestBody } from './items.ts'

/**
 * The model and its endpoint. Use `body` for fields such as `reasoning` or `max_output_tokens`. Its `include` replaces
 * the default `['reasoning.encrypted_content']`, which OpenAI's models without reasoning reject: give them `[]`.
 */
export interface OpenAIResponsesOptions extends ClientOptions {
  /** Sent as a bearer token. Absent: no `Authorization` is sent. Never read from the environment. */
  readonly apiKey?: string | undefined
  /** The endpoint's address, without `/responses`. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined
}

const OPTIONS: OptionTable<OpenAIResponsesOptions> = { ...CLIENT_OPTIONS, apiKey: API_KEY, baseURL: text }

/**
 * A model with OpenAI's Responses API, or at an endpoint compatible with it. It uses the `openai` package, which is loaded
 * at the first call. Requests are stateless: `store` is `false`, and every request contains the whole conversation.
 * Reasoning is not part of the text; encrypted reasoning, ids and phases are sent back with their message. An error of
 * the endpoint is thrown as that package's `APIError`, with its `status` if there is one; an unusable answer, or a stream
 * that ends early, as its `APIConnectionError`.
 * @throws {TypeError} an option has an unknown name, is missing, or has a value of the wrong kind; `body` contains `previous_response_id`, `conversation` or `background`; there is no key for OpenAI
 */
export function openAIResponses(options: OpenAIResponsesOptions): Model {
  checkOptions('openAIResponses', OPTIONS, options)
  const { baseURL = 'https://api.openai.com/v1', body = {} } = options
  const stateful = STATEFUL.find((name) => body[name] !== undefined)
  if (stateful !== undefined) {
    throw new TypeError(
      `openAIResponses: \`body\` has \`${stateful}\`, and the loop sends the whole conversation and stores nothing. Leave it out.`,
    )
  }
  const settled = { ...options, baseURL }
  checkKey('openAIResponses', settled)
  return vendorModel(settled, () => open(settled))
}

const STATEFUL = ['previous_response_id', 'conversation', 'background'] as const

async function open(
  options: OpenAIResponsesOptions & { readonly baseURL: string },
): Promise<VendorClient<OpenAI.Responses.ResponseStreamEvent>> {
  const { client, ApiError, PackageError, ConnectionError } = await openOpenAI(options)
  const { model } = options
  const reading = { model, ApiError }
  const body = (request: ModelRequest) => ({
    include: ['reasoning.encrypted_content' as const],
    ...options.body,
    ...requestBody(request, model),
    model,
    store: false,
  })
  return {
    complete: async (request, { signal }) => {
      // `responses.create` throws a `TypeError` if the answer has no items.
      const asked = { body: { ...body(request), stream: false }, signal }
      return readResponse(await client.post<Partial<OpenAI.Responses.Response>>('/responses', asked), reading)
    },
    stream: (request, { signal }) => client.responses.create({ ...body(request), stream: true }, { signal }),
    collect: () => collectAnswer(reading),
    PackageError,
    ConnectionError,
  }
}
