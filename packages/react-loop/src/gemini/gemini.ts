import type { GenerateContentConfig, GenerateContentParameters, GoogleGenAI } from '@google/genai/web'
import { unlessAborted } from '../abort.ts'
import { type ClientOptions, refuseEmptyKey } from '../client-options.ts'
import type { Model, ModelAnswer, ModelRequest } from '../model.ts'
import { once } from '../vendor-model.ts'
import { vendorPackage } from '../vendor-package.ts'
import { answerOf, collectAnswer, isUnreadable, type WireAnswer } from './answer.ts'
import { requestBody } from './messages.ts'

/** Which model is spoken to, and how. `body` is for fields such as `generationConfig` or `safetySettings`. */
export interface GeminiOptions extends ClientOptions {
  /** Sent as `x-goog-api-key`. The environment is never read for one. */
  readonly apiKey: string
  /** Up to and without `/v1beta`. Default: `https://generativelanguage.googleapis.com`. */
  readonly baseURL?: string
}

/**
 * A model behind the Gemini API, or an endpoint that speaks it, by the `@google/genai` package, which is loaded at the
 * first call. Thoughts are kept out of the text, and their signatures go back with the message they belong to. What the
 * endpoint answers with an error surfaces as that package's `ApiError`, with its `status`; an answer that is none, a
 * call that the vendor could not read, a lost connection, or a stream that ends early, as an `Error` that says so.
 * @throws {TypeError} `apiKey` is empty
 */
export function gemini(options: GeminiOptions): Model {
  refuseEmptyKey(options.apiKey)
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
      // The package leaves a stream open that is not read to its end.
      const left = new AbortController()
      const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
      try {
        const asked = parameters(request, options, either)
        for await (const chunk of await unlessAborted(() => client.models.generateContentStream(asked), either)) {
          const text = pieces.add(chunk)
          if (text !== '') yield { type: 'text', text }
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

/** The error for an answer that cannot be used; errors of the package's own are left as they are. */
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

/** The caller's fields of the body but for those that the loop sets: the package merges the former over the latter. */
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

// The entry for browsers is the lighter one: it takes a key, and knows nothing of Google's other credentials.
const load = () => import('@google/genai/web')

async function open(options: GeminiOptions): Promise<Connection> {
  const { model, apiKey, headers, fetch, maxRetries = 2 } = options
  const { baseURL = 'https://generativelanguage.googleapis.com' } = options
  const { GoogleGenAI: Client, ApiError } = await vendorPackage('gemini', '@google/genai', load)
  const client = new Client({
    apiKey,
    vertexai: false,
    apiVersion: 'v1beta',
    httpOptions: {
      baseUrl: baseURL,
      // In seconds, and as the packages of the other two vendors wait.
      retryOptions: { attempts: maxRetries + 1, initialDelay: 0.5, maxDelay: 8 },
      ...(headers !== undefined && { headers: { ...headers } }),
      ...(fetch !== undefined && { fetch }),
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

/** What went wrong, and what it came from: "fetch failed" alone says nothing. */
function reasonOf({ message, cause }: Error): string {
  return cause instanceof Error && cause.message !== '' ? `${message}, ${cause.message}` : message
}
