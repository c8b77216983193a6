/** Options of every model client. */
export interface ClientOptions {
  readonly model: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Additional fields of every request body. The loop's own fields take precedence. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** How often a request is retried after 429, 5xx, lost connections, and whatever else the vendor's package retries. Default 2. */
  readonly maxRetries?: number
}

/** @throws {TypeError} the key is empty: the vendors' packages would then look for one in the environment */
export function refuseEmptyKey(apiKey: string): void {
  if (apiKey === '') throw new TypeError('apiKey is empty. Give the key of the endpoint.')
}
