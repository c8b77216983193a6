import {
  anything,
  anyText,
  callable,
  checkOptions,
  number,
  type OptionTable,
  recordOf,
  required,
  secret,
  text,
  withDefault,
} from '@repertoire/core/options'
import OpenAI, { APIConnectionError, OpenAIError } from 'openai'
import type { Model, ModelRequest } from '../model.ts'
import { collectAnswer, readCompletion } from './answer.ts'
import { requestBody } from './request.ts'

/** The model and its endpoint. */
export interface OpenAICompatibleOptions {
  readonly model: string
  /** The endpoint's address, without `/chat/completions`: for example `http://127.0.0.1:11434/v1`. */
  readonly baseURL: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. Never read from the environment. */
  readonly apiKey?: string | undefined
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Additional fields of every request body, such as `temperature`. The loop's own fields take precedence. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** How often a request is retried after 429, 5xx or a lost connection. Default 2. */
  readonly maxRetries?: number | undefined
}

const OPTIONS: OptionTable<OpenAICompatibleOptions> = {
  model: required(text),
  baseURL: required(text),
  // An empty key is refused: the package would then look for one in the environment.
  apiKey: secret,
  headers: recordOf(anyText),
  body: recordOf(anything),
  fetch: callable,
  maxRetries: withDefault(2, number('retries', { from: 0, isWhole: true })),
}

/**
 * A model at any endpoint compatible with OpenAI's chat completions. An error of the endpoint is thrown as `APIError`
 * of the `openai` package, with its `status`; an unusable answer, or a stream that ends early, as its
 * `APIConnectionError`. Reasoning that the endpoint sends beside the text (`reasoning_content`, `reasoning` or
 * `reasoning_details`), and the `extra_content` of calls, are sent back with their message, to the same model.
 * @throws {TypeError} an option has an unknown name, is missing, or has a wrong kind of value; no key for OpenAI
 */
export function openAICompatible(options: OpenAICompatibleOptions): Model {
  checkOptions('openAICompatible', OPTIONS, options)
  checkKey(options)
  const { model, baseURL, apiKey } = options
  const { completions } = openClient(options).chat
  const bodyOf = (request: ModelRequest) => ({ ...options.body, ...requestBody(request, model), model })
  const unusableAnswer = (how: string, cause?: unknown): Error =>
    new APIConnectionError({
      message: `The endpoint ${baseURL} gave an answer of "${model}" ${how}. Run the conversation again.`,
      cause: cause instanceof Error ? cause : undefined,
    })
  // The endpoint's words seldom say that no key was sent.
  const explainMissingKey = (error: unknown): never => {
    const { status } = (error ?? {}) as { readonly status?: unknown }
    if (error instanceof Error && apiKey === undefined && status === 401)
      error.message += ` No \`apiKey\` was given for ${baseURL}.`
    throw error
  }
  return {
    name: model,
    async complete(request, { signal }) {
      const completion = await completions
        .create({ ...bodyOf(request), stream: false }, { signal })
        .catch(explainMissingKey)
      const answer = readCompletion(completion, model)
      if (answer === undefined) throw unusableAnswer('without a message in it')
      return answer
    },
    async *stream(request, { signal }) {
      const body = { ...bodyOf(request), stream: true, stream_options: { include_usage: true } } as const
      const chunks = await completions.create(body, { signal }).catch(explainMissingKey)
      const collected = collectAnswer(model)
      try {
        for await (const chunk of chunks) {
          const piece = collected.add(chunk)
          if (piece !== '') yield { type: 'text', text: piece }
        }
      } catch (error) {
        throw error instanceof OpenAIError ? error : unusableAnswer('that broke off', error)
      }
      const answer = collected.whole()
      if (answer === undefined) throw unusableAnswer('that ended before the model did')
      yield { type: 'answer', answer }
    },
  }
}

/**
 * Checks that OpenAI's own endpoint gets a key. Other servers may need none, such as a model on this machine; headers
 * or a `fetch` of the host may hold the key.
 * @throws {TypeError} it gets none
 */
function checkKey({ baseURL, apiKey, headers = {}, fetch }: OpenAICompatibleOptions): void {
  const isOpenAI = URL.canParse(baseURL) && new URL(baseURL).hostname === 'api.openai.com'
  if (!isOpenAI || apiKey !== undefined || fetch !== undefined) return
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return
  throw new TypeError(
    `openAICompatible: \`apiKey\` is missing, and ${baseURL} needs a key. If your program reads it from OPENAI_API_KEY, set that variable. For a server without a key, give its address as \`baseURL\`.`,
  )
}

/** Opens a client that reads nothing from the environment: a key for one endpoint is not sent to another. */
function openClient({ baseURL, apiKey, headers, fetch, maxRetries }: OpenAICompatibleOptions): OpenAI {
  // `null` omits the header.
  const defaultHeaders = { ...(apiKey === undefined && { Authorization: null }), ...headers }
  const client = new OpenAI({
    baseURL,
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    fetch,
    maxRetries,
  })
  // The package adds headers of an environment variable to those of its option, and has no option to prevent it.
  const { _options: settings } = client as unknown as { readonly _options: { defaultHeaders: unknown } }
  settings.defaultHeaders = defaultHeaders
  return client
}
