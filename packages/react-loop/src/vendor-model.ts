import type { Model, ModelAnswer, ModelCallOptions, ModelRequest } from './model.ts'

/** Builds an answer from the pieces of a stream. */
export interface AnswerPieces<Piece, Whole = ModelAnswer> {
  /** Adds the next piece. Returns the text in it. */
  add(piece: Piece): string
  /** The whole answer; undefined if the stream ended early. */
  whole(): Whole | undefined
}

/** The client of a vendor's package. Its own errors are passed on unchanged. */
export interface VendorClient<Piece> {
  /** Makes a model call. Resolves with undefined if the answer contains no message. */
  complete(request: ModelRequest, options: ModelCallOptions): Promise<ModelAnswer | undefined>
  /** The same as a stream. */
  stream(request: ModelRequest, options: ModelCallOptions): Promise<AsyncIterable<Piece>>
  collect(): AnswerPieces<Piece>
  /** The base class of the package's errors. */
  readonly PackageError: abstract new (...args: any[]) => Error
  /** The package's error for a missing answer. */
  readonly ConnectionError: new (options: { message: string; cause?: Error }) => Error
}

/** Calls a function at most once, when its result is first needed. */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => (opened ??= open())
}

/**
 * A model that uses a vendor's package. An incomplete or unusable answer is a connection error, whose message names the
 * endpoint.
 */
export function vendorModel<Piece>(
  {
    model,
    baseURL,
    apiKey,
  }: { readonly model: string; readonly baseURL: string; readonly apiKey?: string | undefined },
  openClient: () => Promise<VendorClient<Piece>>,
): Model {
  const connect = once(openClient)
  const brokenAnswer = (
    { PackageError, ConnectionError }: VendorClient<Piece>,
    how: string,
    cause?: unknown,
  ): unknown => {
    if (cause instanceof PackageError) return cause
    const message = `The endpoint ${baseURL} gave an answer of "${model}" ${how}. Run the conversation again.`
    return new ConnectionError({ message, ...(cause instanceof Error && { cause }) })
  }
  // The endpoint's words seldom say that no key was sent.
  const withoutKey = (error: unknown): unknown => {
    const { status } = (error ?? {}) as { readonly status?: unknown }
    if (error instanceof Error && apiKey === undefined && status === 401)
      error.message += ` No \`apiKey\` was given for ${baseURL}.`
    return error
  }
  return {
    name: model,
    async complete(request, { signal }) {
      const client = await connect()
      const answer = await client.complete(request, { signal }).catch((error: unknown) => {
        throw withoutKey(error)
      })
      if (answer === undefined) throw brokenAnswer(client, 'without a message in it')
      return answer
    },
    async *stream(request, { signal }) {
      const client = await connect()
      const streamed = await client.stream(request, { signal }).catch((error: unknown) => {
        throw withoutKey(error)
      })
      const pieces = client.collect()
      try {
        for await (const piece of streamed) {
          const text = pieces.add(piece)
          if (text !== '') yield { type: 'text', text }
        }
      } catch (error) {
        throw brokenAnswer(client, 'that broke off', error)
      }
      const answer = pieces.whole()
      if (answer === undefined) throw brokenAnswer(client, 'that ended before the model did')
      yield { type: 'answer', answer }
    },
  }
}

/**
 * The error for a vendor's package that cannot be imported. Import it inside a `try`, by which bundlers see that the
 * package is optional.
 */
export function notInstalled(client: string, name: string, cause: unknown): Error {
  return new Error(
    `${client}() needs the package "${name}", and it cannot be imported. Install it: npm install ${name}`,
    { cause },
  )
}

/**
 * Makes a client send only these headers. The packages of OpenAI and Anthropic add headers from an environment
 * variable, perhaps meant for another endpoint, and have no option to prevent it.
 */
export function sendOnly(client: object, headers: Readonly<Record<string, string | null>>): void {
  const { _options: options } = client as { readonly _options: { defaultHeaders: unknown } }
  options.defaultHeaders = headers
}
