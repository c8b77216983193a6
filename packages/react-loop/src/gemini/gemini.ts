import { checkOptions, type OptionTable, required, text } from '@repertoire/core/options'
import type { GenerateContentConfig, GenerateContentParameters, GoogleGenAI } from '@google/genai/web'
import { unlessAborted } from '../abort.ts'
import { API_KEY, CLIENT_OPTIONS, type ClientOptions } from '../client-options.ts'
import type { Model, ModelAnswer, ModelRequest } from '../model.ts'
import { once, notInstalled } from '../vendor-model.ts'
import { answerOf, collectAnswer, isUnreadable, type WireAnswer } from './answer.ts'
import { requestBody } from './messages.ts'

/** The model and its endpoint. Use `body` for fields such as `generationConfig` or `safetySettings`. */
export interface GeminiOptions extends ClientOptions {
  /** Sent as `x-goog-api-key`. Never read from the environment. */
  readonly apiKey: string
  /** The endpoint's address, without `/v1beta`. Default: `https://generativelanguage.googleapis.com`. */
  readonly baseURL?: string | undefined
}

const OPTIONS: OptionTable<GeminiOptions> = { ...CLIENT_OPTIONS, apiKey: required(API_KEY), baseURL: text }

/**
 * A model with the Gemini API, or at an endpoint compatible with it. It uses the `@google/genai` package, which is
 * loaded at the first call. Thoughts are not part of the text; their signatures are sent back with their message. An
 * error of the endpoint is thrown as that package's `ApiError`, with its `status`; an unusable answer, a call that the
 * vendor could not parse, a lost connection, or a stream that ends early, as an `Error` with an explanation.
 * @throws {TypeError} an option has an unknown name, is missing, or has a value of the wrong kind
 */
export function gemini(options: GeminiOptions): Model {
  checkOptions('gemini', OPTIONS, options)
  const connect = once(() => open(options))

  return {
    name: options.model,
    async complete(request, { signal }) {
      const { client, broken } = await connect()
      const pieces = collectAnswer()
      try {
        const asked = parameters(request, options, signal)
        pieces.add(await unlessAborted(() => client.models.generateContent(asked), signal))
      } catch (error) {
        throw broken(error)
      }
      return answerFrom(pieces.whole(), broken)
    },
    async *stream(request, { signal }) {
      const { client, broken } = await connect()
      const pieces = collectAnswer()
      // The package does not close a stream that is not read to its end.
      const left = new AbortController()
      const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
      try {
        const asked = parameters(request, options, either)
        for await (const chunk of await unlessAborted(() => client.models.generateContentStream(asked), either)) {
          const piece = pieces.add(chunk)
          if (piece !== '') yield { type: 'text', text: piece }
        }
      } catch (error) {
        throw broken(error)
      } finally {
        left.abort()
      }
      yield { type: 'answer', answer: answerFrom(pieces.whole(), broken) }
    },
  }
}

/** The error for an unusable answer; the package's own errors are returned unchanged. */
type Broken = (why: unknown) => unknown

function answerFrom(whole: WireAnswer | undefined, broken: Broken): ModelAnswer {
  if (whole === undefined) throw broken('it is not complete')
  if (isUnreadable(whole)) throw broken(`it holds a call that the endpoint itself cannot read (${whole.finishReason})`)
  return answerOf(whole)
}

function parameters(
  request: ModelRequest,
  { model, body = {} }: GeminiOptions,
  signal: AbortSignal | undefined,
): GenerateContentParameters {
  const { contents, config } = requestBody(request, model)
  return {
    model,
    contents,
    config: {
      ...config,
      httpOptions: { extraBody: furtherFields(body, config) },
      automaticFunctionCalling: { disable: true },
      ...(signal !== undefined && { abortSignal: signal }),
    },
  }
}

/** The caller's body fields except those that the loop sets: the package would let the former override the latter. */
function furtherFields(
  body: Readonly<Record<string, unknown>>,
  config: GenerateContentConfig,
): Record<string, unknown> {
  const { contents: _, generationConfig, ...given } = body
  const fields: Record<string, unknown> = given
  for (const name of ['systemInstruction', 'tools'] as const) if (config[name] !== undefined) delete fields[name]
  const { stopSequences, ...generation } = (generationConfig ?? {}) as Readonly<Record<string, unknown>>
  const stop = config.stopSequences === undefined && stopSequences !== undefined ? { stopSequences } : {}
  return { ...fields, ...(generationConfig !== undefined && { generationConfig: { ...generation, ...stop } }) }
}

interface Connection {
  readonly client: GoogleGenAI
  readonly broken: Broken
}

// The browser entry is smaller: it accepts a key, and has no support for Google's other credentials.
async function load() {
  try {
    return await import('@google/genai/web')
  } catch (cause) {
    throw notInstalled('gemini', '@google/genai', cause)
  }
}

async function open(options: GeminiOptions): Promise<Connection> {
  const { model, apiKey, headers, fetch, maxRetries = 2 } = options
  const { baseURL = 'https://generativelanguage.googleapis.com' } = options
  const { GoogleGenAI: Client, ApiError } = await load()
  const client = new Client({
    apiKey,
    vertexai: false,
    apiVersion: 'v1beta',
    httpOptions: {
      baseUrl: baseURL,
      // In seconds, as in the packages of the other two vendors.
      retryOptions: { attempts: maxRetries + 1, initialDelay: 0.5, maxDelay: 8 },
      ...(headers !== undefined && { headers: { ...headers } }),
      fetch,
    },
  })
  return {
    client,
    broken(why) {
      if (why instanceof ApiError) return why
      const [said, cause] = why instanceof Error ? [reasonOf(why), { cause: why }] : [String(why), {}]
      return new Error(`No answer of "${model}" by ${baseURL} can be used: ${said}. Run the conversation again.`, cause)
    },
  }
}

/** The error's message with its cause: "fetch failed" alone explains nothing. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message}, ${cause.message}` : message
}
