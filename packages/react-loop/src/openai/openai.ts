import { checkOptions, type OptionTable, required, text } from '@repertoire/core/options'
import type OpenAI from 'openai'
import { API_KEY, CLIENT_OPTIONS, type ClientOptions } from '../client-options.ts'
import type { Model, ModelRequest } from '../model.ts'
import { type VendorClient, vendorModel } from '../vendor-model.ts'
import { collectAnswer, readCompletion } from './answer.ts'
import { openOpenAI } from './client.ts'
import { requestBody } from './messages.ts'

/** The model and its endpoint. Use `body` for fields such as `temperature` or `max_tokens`. */
export interface OpenAICompatibleOptions extends ClientOptions {
  /** Without `/chat/completions`, for example `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. Never read from the environment. */
  readonly apiKey?: string
}

const OPTIONS: OptionTable<OpenAICompatibleOptions> = { ...CLIENT_OPTIONS, apiKey: API_KEY, baseURL: required(text) }

/**
 * A model at any endpoint compatible with OpenAI's chat completions. It uses the `openai` package, which is loaded at
 * the first call. An error of the endpoint is thrown as that package's `APIError`, with its `status`; an unusable
 * answer, or a stream that ends early, as its `APIConnectionError`. Reasoning that the endpoint sends beside the text
 * (`reasoning_content`, `reasoning` or `reasoning_details`), and the `extra_content` of calls, are sent back with their
 * message, to the same model.
 * @throws {TypeError} an option has an unknown name, is missing, or has a value of the wrong kind
 */
export function openAICompatible(options: OpenAICompatibleOptions): Model {
  checkOptions('openAICompatible', OPTIONS, options)
  return vendorModel(options, () => open(options))
}

async function open(options: OpenAICompatibleOptions): Promise<VendorClient<OpenAI.Chat.ChatCompletionChunk>> {
  const { client, PackageError, ConnectionError } = await openOpenAI(options)
  const { model } = options
  const { completions } = client.chat
  const body = (request: ModelRequest) => ({ ...options.body, ...requestBody(request, model), model })
  return {
    complete: async (request, { signal }) =>
      readCompletion(await completions.create({ ...body(request), stream: false }, { signal }), model),
    stream: (request, { signal }) =>
      completions.create({ ...body(request), stream: true, stream_options: { include_usage: true } }, { signal }),
    collect: () => collectAnswer(model),
    PackageError,
    ConnectionError,
  }
}
