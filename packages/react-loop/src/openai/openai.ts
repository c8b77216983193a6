import { type OptionTable, checkOptions, required, text } from '@repertoire/core/options'
import type OpenAI from 'openai'
import { API_KEY, CLIENT_OPTIONS, type ClientOptions } from '../client-options.ts'
import type { Message, Model, ModelRequest } from '../model.ts'
import { type VendorClient, vendorModel } from '../vendor-model.ts'
import { collectAnswer, readCompletion } from './answer.ts'
import { checkKey, openOpenAI } from './client.ts'
import type { ToolCall } from '@repertoire/core'
import { argumentsAsObject } from '@repertoire/core/adapter'
import { keptExtras, keptReasoning } from './reasoning.ts'

/** The model and its endpoint. Use `body` for fields such as `temperature` or `max_tokens`. */
export interface OpenAICompatibleOptions extends ClientOptions {
  /** The endpoint's address, without `/chat/completions`: for example `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. Never read from the environment. */
  readonly apiKey?: string | undefined
}

const OPTIONS: OptionTable<OpenAICompatibleOptions> = { ...CLIENT_OPTIONS, apiKey: API_KEY, baseURL: required(text) }

/**
 * A model at any endpoint compatible with OpenAI's chat completions. It uses the `openai` package, which is loaded at
 * the first call. An error of the endpoint is thrown as that package's `APIError`, with its `status`; an unusable
 * answer, or a stream that ends early, as its `APIConnectionError`. Reasoning that the endpoint sends beside the text
 * (`reasoning_content`, `reasoning` or `reasoning_details`), and the `extra_content` of calls, are sent back with their
 * message, to the same model.
 * @throws {TypeError} an option has an unknown name, is missing, or has a value of the wrong kind; there is no key for OpenAI
 */
export function openAICompatible(options: OpenAICompatibleOptions): Model {
  checkOptions('openAICompatible', OPTIONS, options)
  checkKey('openAICompatible', options)
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

type RequestBody = Pick<OpenAI.Chat.ChatCompletionCreateParams, 'messages' | 'tools' | 'stop'>

/** A request in the format of chat completions. */
function requestBody({ system, messages, tools, stop }: ModelRequest, model: string): RequestBody {
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.map((message) => wireMessage(message, model)),
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: inputSchema },
      })),
    }),
    ...(stop !== undefined && { stop: [...stop] }),
  }
}

function wireMessage(message: Message, model: string): OpenAI.Chat.ChatCompletionMessageParam {
  if (message.role === 'user') return { role: 'user', content: message.content }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  const { content, calls = [] } = message
  const reasoning = keptReasoning(message, model)
  if (calls.length === 0) return { role: 'assistant', content, ...reasoning }
  const extras = keptExtras(message, model)
  const wireCalls = calls.map((call, n) => ({
    ...wireCall(call),
    ...(extras[n] != null && { extra_content: extras[n] }),
  }))
  return { role: 'assistant', content: content === '' ? null : content, ...reasoning, tool_calls: wireCalls }
}

function wireCall({ id, tool, input }: ToolCall): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(argumentsAsObject(input)) } }
}
