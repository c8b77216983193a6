import type { EncodedMessage, ScriptedMessage, SentMessage } from './dialect.ts'
import type { Fields } from './fields.ts'
import type { WireRequest } from './wire.ts'

/**
 * What the endpoint needs to know of a vendor's protocol. Each is implemented in a folder of its own; the play and the
 * server know none of them.
 */
export interface Protocol {
  /** Its name in messages about malformed requests: `Anthropic Messages`. */
  readonly name: string
  /** The end of a play's `baseURL` that the vendor's client package expects: `/v1`, or nothing. */
  readonly suffix: string
  /** The model's name, which some clients read to find out what it can do. */
  readonly model: string
  /** What is served, for messages: `POST /v1/messages`. */
  readonly served: string
  /** Returns why a request is refused before its body is read; undefined if it is accepted. */
  refusalOf(head: RequestHead, apiKey: string): Refusal | undefined
  /** Returns how a request is handled. */
  route(head: RequestHead): Route
  /** Returns what is sent over the wire for a message of the script. */
  encode(message: ScriptedMessage): EncodedMessage
  /** Returns an error in the vendor's shape. */
  error(refusal: Refusal): { readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
}

/** A request without its body. */
export interface RequestHead {
  readonly method: string
  /** Below the play's address, with the suffix: `/v1/messages`. */
  readonly path: string
  readonly query: URLSearchParams
  /** By their names in lower case, as in Node; not Node's type, which a host's TypeScript may lack. */
  readonly headers: { readonly authorization?: string | undefined } & Readonly<
    Record<string, string | readonly string[] | undefined>
  >
}

/** How a request is handled: not at all, with an immediate answer, from its body alone, or as an exchange with the model. */
export type Route = { readonly status: 404 | 405 } | Served
export type Served = { readonly json: unknown } | BodyAnswer | Exchange

/** An answer that takes no step of the script. */
export interface BodyAnswer {
  /**
   * Returns what is sent as JSON.
   * @throws {Error} if the vendor would answer with 400, saying what is wrong
   */
  answerTo(body: Fields): unknown
}

/** One request to the model and its answer. */
export interface Exchange {
  /**
   * Reads the body.
   * @throws {RefusedRequest} if the vendor would answer with a status other than 400
   * @throws {Error} if the vendor would answer with 400, saying what is wrong
   */
  decode(body: Fields, memory: Memory): Omit<WireRequest, 'raw'>
  /** Returns the answer, whole or streamed, as the body requests. */
  write(body: Fields, message: EncodedMessage, memory: Memory): WrittenAnswer
}

/** What the vendor knows of a conversation besides the current request. */
export interface Memory {
  /** The messages that the model has sent, oldest first. */
  readonly sent: readonly SentMessage[]
  /** What the vendor stores of its answers, by their ids. Empty for vendors that store nothing. */
  readonly stored: Map<string, readonly Fields[]>
}

/** A request that the vendor refuses with a particular status or code. */
export class RefusedRequest extends TypeError {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** An answer as it is put on the wire. */
export interface WrittenAnswer {
  readonly contentType: string
  /** The body, one part for each event of a stream. */
  readonly parts: readonly string[]
}

/** Why a request is not answered by the model. */
export interface Refusal {
  readonly status: number
  readonly message: string
  /** The vendor's error code, if there are codes besides the status. */
  readonly code?: string
}

/** Returns what is served at a path, or the HTTP error for an unknown path or another method. */
export function routeOf(
  { method, path }: RequestHead,
  served: ReadonlyMap<string, { readonly method: string; readonly to: Served }>,
): Route {
  const found = served.get(path)
  if (found === undefined) return { status: 404 }
  return found.method === method ? found.to : { status: 405 }
}
