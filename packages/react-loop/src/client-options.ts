import {
  anyText,
  callable,
  anything,
  number,
  type OptionTable,
  recordOf,
  required,
  secret,
  text,
  withDefault,
} from '@repertoire/core/options'

/** Options of every model client. */
export interface ClientOptions {
  readonly model: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Additional fields of every request body. The loop's own fields take precedence. */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** How often a request is retried after 429, 5xx, lost connections, and whatever else the vendor's package retries. Default 2. */
  readonly maxRetries?: number | undefined
}

/** The options of every client. Each client adds its own. */
export const CLIENT_OPTIONS: OptionTable<ClientOptions> = {
  model: required(text),
  headers: recordOf(anyText),
  body: recordOf(anything),
  fetch: callable,
  maxRetries: withDefault(2, number('retries', { from: 0, isWhole: true })),
}

/** An empty key is refused: the vendors' packages would then look for one in the environment. */
export const API_KEY = secret
