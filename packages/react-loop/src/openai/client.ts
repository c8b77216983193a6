import type OpenAI from 'openai'
import type { APIError } from 'openai'
import type { ClientOptions } from '../client-options.ts'
import { type VendorClient, sendOnly } from '../vendor-model.ts'

/** Options of both clients that use the `openai` package. */
export interface OpenAIClientOptions extends ClientOptions {
  readonly baseURL: string
  /** Sent as a bearer token. Absent: no `Authorization` is sent. Never read from the environment. */
  readonly apiKey?: string | undefined
}

interface OpenClient extends Pick<VendorClient<unknown>, 'PackageError' | 'ConnectionError'> {
  readonly client: OpenAI
  readonly ApiError: typeof APIError
}

/**
 * Checks that OpenAI's own endpoint gets a key. Other servers may need none, such as a model on this machine; headers or
 * a `fetch` of the host may hold the key.
 * @throws {TypeError} it gets none
 */
export function checkKey(client: string, { baseURL, apiKey, headers = {}, fetch }: OpenAIClientOptions): void {
  const isOpenAI = URL.canParse(baseURL) && new URL(baseURL).hostname === 'api.openai.com'
  if (!isOpenAI || apiKey !== undefined || fetch !== undefined) return
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return
  throw new TypeError(
    `${client}: \`apiKey\` is missing, and ${baseURL} needs a key. If your program reads it from OPENAI_API_KEY, set that variable. For a server without a key, give its address as \`baseURL\`.`,
  )
}

/** Loads the `openai` package, and opens a client that reads nothing from the environment. */
export async function openOpenAI(options: OpenAIClientOptions): Promise<OpenClient> {
  const { baseURL, apiKey, headers, fetch, maxRetries } = options
  const { default: Client, APIConnectionError, APIError: ApiError, OpenAIError } = await import('openai')
  // `null` omits the header.
  const defaultHeaders = { ...(apiKey === undefined && { Authorization: null }), ...headers }
  const client = new Client({
    baseURL,
    // Setting these prevents the package from reading environment variables: a key for one endpoint is not sent to
    // another.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders,
    fetch,
    maxRetries,
  })
  sendOnly(client, defaultHeaders)
  return { client, ApiError, PackageError: OpenAIError, ConnectionError: APIConnectionError }
}
