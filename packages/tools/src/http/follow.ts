import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { type Dispatcher, request as send } from 'undici'
import { ToolFailure } from '../result.ts'
import { headersForOtherOrigin } from './request-headers.ts'
import { checkUrl } from './url.ts'

/** A request that is ready to be sent. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
}

/** The answer of the last hop. */
export interface LastHop {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. It fails if the answer is cut off. */
  readonly body: AsyncIterable<Uint8Array>
  readonly url: URL
  /** How many redirects led there. */
  readonly redirects: number
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Sends a request, and follows redirects one by one: each hop is checked like the first.
 * @throws {ToolFailure} ADDRESS_REFUSED, NOT_ALLOWED, REDIRECT_REFUSED
 */
export async function follow(
  first: HttpRequest,
  checkHost: (url: URL) => void,
  connection: { readonly dispatcher: Dispatcher; readonly signal: AbortSignal },
): Promise<LastHop> {
  let request = first
  for (let redirects = 0; ; redirects++) {
    checkUrl(request.url)
    checkHost(request.url)
    const { method, url, headers, body } = request
    const {
      statusCode,
      body: answer,
      ...answered
    } = await send(url, {
      method,
      headers: { accept: '*/*', 'accept-encoding': 'gzip, br', 'user-agent': 'undici', ...Object.fromEntries(headers) },
      body: body ?? null,
      ...connection,
    })
    const received = headersOf(answered.headers)
    const location = REDIRECTS.has(statusCode) ? received['location'] : undefined
    if (location === undefined) {
      const isEmpty = method === 'HEAD' || statusCode === 204 || statusCode === 304
      const content = isEmpty ? answer : decompressed(answer, received['content-encoding'] ?? '')
      return { status: statusCode, headers: received, body: content, url, redirects }
    }
    await answer.dump()
    if (redirects === MAX_REDIRECTS)
      throw refused(`there were more than ${MAX_REDIRECTS}. The address may redirect to itself`)
    request = nextHop(request, statusCode, location)
  }
}

/** Names are in lower case, and several headers of one name are joined, cookies too. */
function headersOf(received: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(received).map(([name, values]) => [name, [values ?? []].flat().join(', ')]))
}

const DECODERS: Readonly<Record<string, (() => NodeJS.ReadWriteStream) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/**
 * Decompresses an answer. `fetch` takes one that is cut off for a whole one.
 * @throws {ToolFailure} FAILED: the server chose another way than it was asked for
 */
function decompressed(answer: Readable, encoding: string): AsyncIterable<Uint8Array> {
  const names = encoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  return names.toReversed().reduce<NodeJS.ReadableStream>((stream, name) => {
    if (name === '' || name === 'identity') return stream
    const decoder = DECODERS[name]?.()
    if (decoder === undefined) {
      throw new ToolFailure(
        'FAILED',
        `The answer is compressed as ${JSON.stringify(name)}, and gzip or br was asked for.`,
      )
    }
    // Who reads it gets its error.
    return pipeline(stream, decoder, () => undefined)
  }, answer) as AsyncIterable<Uint8Array>
}

/** @throws {ToolFailure} REDIRECT_REFUSED */
function nextHop({ method, url, headers, body }: HttpRequest, status: number, location: string): HttpRequest {
  const target = URL.parse(location, url.href)
  if (target === null) throw refused('its address is not a URL')
  const isSameOrigin = target.origin === url.origin
  // As browsers do: after a form was sent, what follows is a page.
  const isRead = method === 'GET' || method === 'HEAD'
  const becomesGet = !isRead && (status === 303 || (status !== 307 && status !== 308 && method === 'POST'))
  if (!isSameOrigin && !isRead && !becomesGet) {
    throw refused(`the ${method} would be sent to another origin, ${target.origin}. Send it there if that is right`)
  }
  const kept = isSameOrigin ? new Headers(headers) : headersForOtherOrigin(headers)
  if (!becomesGet) return { method, url: target, headers: kept, body }
  for (const name of ['content-type', 'content-language']) kept.delete(name)
  return { method: 'GET', url: target, headers: kept, body: undefined }
}

function refused(why: string): ToolFailure {
  return new ToolFailure('REDIRECT_REFUSED', `The redirect is not followed: ${why}.`)
}
