import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { PageIntroduction } from './page.ts'
import { type LiveEvents, openLiveEvents } from './live-events.ts'

/** What the inspector's server shows. */
export interface InspectorOptions {
  /** The page, which holds no log. */
  readonly page: string
  /** Absolute paths of logs. */
  readonly logs: readonly string[]
  readonly introduction?: PageIntroduction
  /** Whether it takes the events of a running agent. */
  readonly isLive: boolean
  /** 0: any that is free. */
  readonly port: number
}

/** A server of the inspector. */
export interface InspectorServer {
  /** With the key. */
  readonly url: string
  close(): Promise<void>
}

/** No page of another site may frame, read or guess anything of this one. */
const HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/**
 * Serves the page on loopback. The page itself holds nothing; logs and events are for those with the key, which is
 * behind the `#` of the address, so that no request, referrer or server's log ever has it.
 * @throws the error of the system where it cannot listen
 */
export async function openInspector(options: InspectorOptions): Promise<InspectorServer> {
  const { page, logs, introduction, isLive, port } = options
  const key = randomBytes(24).toString('base64url')
  const live = openLiveEvents()
  const server = createServer((request, response) => {
    void answer(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const listening = typeof address === 'object' && address !== null ? address.port : port
  const hosts = new Set([`127.0.0.1:${listening}`, `localhost:${listening}`])

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
    try {
      const status = refusalOf(request) ?? (await route(request, response))
      if (status !== undefined) response.writeHead(status).end()
    } catch {
      // Whoever asked has gone, or a log has.
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  }

  function refusalOf({ headers, method, url }: IncomingMessage): number | undefined {
    const { host = '', origin, 'sec-fetch-site': site } = headers
    if (!hosts.has(host)) return 403
    if (origin !== undefined && origin !== `http://${host}`) return 403
    // The address that was printed is opened from nowhere, or from a link in a mail.
    if (url === '/' && method === 'GET') return undefined
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return 403
    return hasKey(headers.authorization, key) ? undefined : 401
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<number | undefined> {
    const { method, url = '/' } = request
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1')
    if (method === 'POST') return pathname === '/events' && isLive ? receive(request, live) : 404
    if (method !== 'GET') return 405
    if (pathname === '/') return void response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    if (pathname === '/logs') {
      const names = JSON.stringify({ logs: logs.map((path) => basename(path)), live: isLive, introduction })
      return void response.setHeader('content-type', 'application/json').end(names)
    }
    if (pathname === '/events' && isLive) {
      live.send(response, Number(searchParams.get('after') ?? 0) || 0)
      return undefined
    }
    const log = logs[Number(/^\/logs\/(\d+)$/.exec(pathname)?.[1] ?? -1)]
    if (log === undefined) return 404
    response.setHeader('content-type', 'application/x-ndjson; charset=utf-8')
    await pipeline(createReadStream(log), response)
    return undefined
  }

  return {
    url: `http://127.0.0.1:${listening}/#key=${key}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

function hasKey(authorization: string | undefined, key: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${key}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

/** Longest event. Those of an audit are far shorter. */
const MAX_EVENT_BYTES = 1024 * 1024

/** Takes one event of a host. Returns the status of the answer. */
async function receive(request: IncomingMessage, live: LiveEvents): Promise<number> {
  if (request.headers['content-type'] !== 'application/json') return 415
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_EVENT_BYTES) return 413
    parts.push(part)
  }
  try {
    // Written anew, so that an event is one line whatever was sent.
    live.add(JSON.stringify(JSON.parse(Buffer.concat(parts).toString('utf8'))))
    return 204
  } catch {
    return 400
  }
}
