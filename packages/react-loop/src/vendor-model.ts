import type { Model, ModelAnswer, ModelCallOptions, ModelRequest } from './model.ts'

/** Puts an answer together from the pieces of a stream. */
export interface AnswerPieces<Piece, Whole = ModelAnswer> {
  /** Takes the next piece; gives the text in it. */
  add(piece: Piece): string
  /** The whole; undefined where the stream ended before the model did. */
  whole(): Whole | undefined
}

/** A vendor's package, opened. What it throws of its own is left as it is. */
export interface VendorClient<Piece> {
  /** One model call; undefined where there is no message in the answer. */
  complete(request: ModelRequest, options: ModelCallOptions): Promise<ModelAnswer | undefined>
  /** The same as a stream. */
  stream(request: ModelRequest, options: ModelCallOptions): Promise<AsyncIterable<Piece>>
  collect(): AnswerPieces<Piece>
  /** The class of all that the package throws of its own. */
  readonly OwnError: abstract new (...given: any[]) => Error
  /** What it throws where there is no answer. */
  readonly ConnectionError: new (told: { message: string; cause?: Error }) => Error
}

/** Opens something when it is first needed, and once. */
export function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => (opened ??= open())
}

/**
 * A model by a vendor's package: half an answer is none, and an answer that cannot be used surfaces as a connection's
 * failure, which says where to look.
 */
export function vendorModel<Piece>(
  { model, baseURL }: { readonly model: string; readonly baseURL: string },
  open: () => Promise<VendorClient<Piece>>,
): Model {
  const connect = once(open)
  const broken = ({ OwnError, ConnectionError }: VendorClient<Piece>, how: string, cause?: unknown): unknown => {
    if (cause instanceof OwnError) return cause
    const message = `The endpoint ${baseURL} gave an answer of "${model}" ${how}. Run the conversation again.`
    return new ConnectionError({ message, ...(cause instanceof Error && { cause }) })
  }
  return {
    name: model,
    async complete(request, { signal }) {
      const client = await connect()
      const answer = await client.complete(request, { signal })
      if (answer === undefined) throw broken(client, 'without a message in it')
      return answer
    },
    async *stream(request, { signal }) {
      const client = await connect()
      const streamed = await client.stream(request, { signal })
      const pieces = client.collect()
      try {
        for await (const piece of streamed) {
          const text = pieces.add(piece)
          if (text !== '') yield { type: 'text', text }
        }
      } catch (error) {
        throw broken(client, 'that broke off', error)
      }
      const answer = pieces.whole()
      if (answer === undefined) throw broken(client, 'that ended before the model did')
      yield { type: 'answer', answer }
    },
  }
}
