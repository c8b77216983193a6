import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { jsonOrText } from '../json-or-text.ts'

/** The user's model endpoint. */
export interface Upstream {
  /** Without a slash at its end: `/chat/completions` comes after it. */
  readonly baseURL: string
  readonly apiKey?: string
}

/** An answer that is being received. */
export interface Answer {
  readonly status: number
  readonly contentType: string
  readonly body: IncomingMessage
}

/**
 * `unreachable`: no answer came. `refused`: an HTTP error. `broken`: the answer broke off. `unread`: an odd request.
 */
export type FailureKind = 'unreachable' | 'refused' | 'broken' | 'unread'

/** A failure of the user's endpoint. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  readonly kind: FailureKind
  /** The HTTP status, if there was one. */
  readonly status: number | undefined

  constructor(kind: FailureKind, message: string, status?: number) {
    super(message)
    this.kind = kind
    this.status = status
  }
}

const MAX_ERROR_CHARS = 64 * 1024
const MAX_MESSAGE_CHARS = 400

/**
 * Sends a chat-completions request to the endpoint. Redirects are not followed: the key is for this address alone.
 * @throws {UpstreamFailure} unreachable, refused
 */
export async function ask({ baseURL, apiKey }: Upstream, body: Buffer, signal: AbortSignal): Promise<Answer> {
  const url = new URL(`${baseURL}/chat/completions`)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(
      url,
      {
        method: 'POST',
        signal,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          accept: 'application/json, text/event-stream',
          'accept-encoding': 'identity',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
      },
      resolve,
    )
    sent.once('error', (error) => reject(new UpstreamFailure('unreachable', whyUnreachable(error))))
    sent.end(body)
  })
  const { statusCode: status = 0, headers } = response
  if (status >= 200 && status < 300) {
    return { status, contentType: headers['content-type'] ?? 'application/json', body: response }
  }
  const said = headers.location === undefined ? await errorText(response) : `It redirects to ${headers.location}`
  const known = apiKey === undefined ? said : said.replaceAll(apiKey, '(the key)')
  // A redirect would be followed by the SDK if it were passed on as it is.
  throw new UpstreamFailure('refused', known.slice(0, MAX_MESSAGE_CHARS), status >= 400 ? status : 502)
}

function whyUnreachable(error: NodeJS.ErrnoException): string {
  // Several addresses of one name may each fail in their way.
  const [first] = error instanceof AggregateError ? (error.errors as readonly NodeJS.ErrnoException[]) : []
  return error.message || first?.message || error.code || 'no reason is known'
}

async function errorText(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const chunk of response) {
      text += String(chunk)
      if (text.length > MAX_ERROR_CHARS) break
    }
  } catch {
    // The part that arrived before the connection broke is used.
  }
  return messageIn(jsonOrText(text)) ?? text.trim()
}

/** Where endpoints say what is wrong: OpenAI `error.message`, Ollama `error`, others `message` or `detail`. */
function messageIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = new Map<string, unknown>(Object.entries(value))
  for (const name of ['error', 'message', 'detail']) {
    const found = fields.get(name)
    if (typeof found === 'string') return found
    const inner = messageIn(found)
    if (inner !== undefined) return inner
  }
  return undefined
}
