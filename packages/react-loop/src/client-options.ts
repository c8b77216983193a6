/** What every client of a model takes. */
export interface ClientOptions {
  readonly model: string
  /** Of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of every request. Those of the loop's own win. */
  readonly body?: Readonly<Record<string, unknown>>
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** How often a request is repeated after 429, 5xx and lost connections, and what else the vendor's package repeats. Default 2. */
  readonly maxRetries?: number
}

/** @throws {TypeError} the key is empty: the vendors' packages would look for another one elsewhere */
export function refuseEmptyKey(apiKey: string): void {
  if (apiKey === '') throw new TypeError('apiKey is empty. Give the key of the endpoint.')
}
