import type { WrittenAnswer } from './answer.ts'
import type { EncodedMessage, ScriptedMessage, SentMessage } from './dialect.ts'
import type { Fields } from './fields.ts'
import type { WireRequest } from './wire.ts'

/**
 * What the endpoint needs to know of a vendor's protocol. Each is implemented in its own folder; the play and the
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
  /** @throws {RefusedRequest} if a request comes without the key of its play, or the vendor refuses its headers */
  authorize(head: RequestHead, apiKey: string): void
  /** Returns how a request is handled; undefined if nothing is served there. */
  route(head: RequestHead): Served | undefined
  /** Returns what is sent over the wire for a message of the script. */
  encode(message: ScriptedMessage): EncodedMessage
  /** The vendor's names of errors, by their status; `client` and `server` for all others. */
  readonly errors: Readonly<Record<number | 'client' | 'server', string>>
  /** Returns an error in the vendor's shape. */
  error(name: string, refusal: Refusal): { readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
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

/** How a request is handled: as an exchange with the model, or from its body alone, without a step of the script. */
export type Served = Exchange | { reply(body: Fields): unknown }

/** One request to the model and its answer. */
export interface Exchange {
  /**
   * Reads the body.
   * @throws {RefusedRequest} if the vendor would answer with a status other than 400, or with a code
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
  /** The responses that the vendor stores, by their ids: all items of the conversation up to there. */
  readonly responses: Map<string, readonly Fields[]>
  /** The items that the vendor stores, by their ids, with the reasoning that led to them. */
  readonly items: Map<string, { readonly item: Fields; readonly reasoning?: string }>
}

/** Why a request is not answered by the model. */
export interface Refusal {
  readonly status: number
  readonly message: string
  /** The vendor's error code, if there are codes besides the status. */
  readonly code?: string | undefined
}

/** A request that is refused with a particular status or code. */
export class RefusedRequest extends TypeError implements Refusal {
  readonly status: number
  readonly code: string | undefined

  constructor(status: number, message: string, code?: string) {
    super(message)
    this.status = status
    this.code = code
  }
}
