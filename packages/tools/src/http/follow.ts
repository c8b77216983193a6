import { type Dispatcher, fetch, type Response } from 'undici'
import { ToolFailure } from '../result.ts'
import { headersForOtherOrigin } from './request-headers.ts'
import { checkUrl, type UrlRules } from './url.ts'

/** A request that is ready to be sent. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string | undefined
}

/** How redirects are followed. */
export interface FollowOptions extends UrlRules {
  readonly dispatcher: Dispatcher
  readonly signal: AbortSignal
  readonly redirects: 'follow' | 'same-origin' | 'refuse'
}

/** The answer of the last hop. */
export interface LastHop {
  readonly response: Response
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
export async function follow(first: HttpRequest, options: FollowOptions): Promise<LastHop> {
  let request = first
  for (let redirects = 0; ; redirects++) {
    checkUrl(request.url, options)
    const { method, url, headers, body } = request
    const response = await fetch(url, {
      method,
      headers: [...headers],
      body: body ?? null,
      redirect: 'manual',
      dispatcher: options.dispatcher,
      signal: options.signal,
    })
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location === null) return { response, url, redirects }
    await response.body?.cancel()
    if (redirects === MAX_REDIRECTS)
      throw refused(`there were more than ${MAX_REDIRECTS}. The address may redirect to itself`)
    request = nextHop(request, response.status, location, options.redirects)
  }
}

/** @throws {ToolFailure} REDIRECT_REFUSED */
function nextHop(
  { method, url, headers, body }: HttpRequest,
  status: number,
  location: string,
  mode: FollowOptions['redirects'],
): HttpRequest {
  const target = URL.parse(location, url.href)
  if (target === null) throw refused('its address is not a URL')
  if (mode === 'refuse')
    throw refused(`it leads to ${target.origin}, and none are followed. Ask for that address if it is right`)
  const isSameOrigin = target.origin === url.origin
  if (!isSameOrigin && mode === 'same-origin') {
    throw refused(`it leads to another origin, ${target.origin}. Ask for that address if it is right`)
  }
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
