import { checkOptions, number, type OptionTable, text, withDefault } from '@repertoire/core/options'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type HttpSkillsServer, SERVE_OPTIONS, type ServeOptions, skillsServerFactory } from './serve.ts'

/** Options of `serveSkillsOverHttp`. */
export interface ServeHttpOptions extends ServeOptions {
  /** The port to listen on. Default 0: any that is free. */
  readonly port?: number | undefined
  /** `127.0.0.1`, `::1` or `localhost`. Default `127.0.0.1`. For others, put the host's own server with its own authentication before it. */
  readonly host?: string | undefined
}

const OPTIONS: OptionTable<ServeHttpOptions> = {
  ...SERVE_OPTIONS,
  port: withDefault(0, number('', { from: 0, to: 65_535, isWhole: true })),
  host: withDefault('127.0.0.1', text),
}

/** Where clients find the server. */
const PATH = '/mcp'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])

/**
 * Serves the skills of a repertoire by streamable HTTP to programs of the same machine. A page in a browser is refused, by
 * `Host` and `Origin`.
 * @throws {TypeError} the host is not of this machine alone
 * @throws the error of the system where it cannot listen
 */
export async function serveSkillsOverHttp(options: ServeHttpOptions): Promise<HttpSkillsServer> {
  checkOptions('serveSkillsOverHttp', OPTIONS, options)
  const { port = 0, host = '127.0.0.1', repertoire } = options
  if (!LOOPBACK.has(host)) {
    throw new TypeError(`serveSkillsOverHttp: "${host}" is not accepted. Use 127.0.0.1, ::1 or localhost.`)
  }
  const {
    createMcpHandler,
    hostHeaderValidationResponse,
    localhostAllowedHostnames,
    localhostAllowedOrigins,
    originValidationResponse,
  } = await import('@modelcontextprotocol/server')
  const handler = createMcpHandler(await skillsServerFactory(options))
  const answer = (request: Request): Response | Promise<Response> =>
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === PATH ? handler.fetch(request) : new Response('Not found\n', { status: 404 }))
  const server = createServer((incoming, outgoing) => {
    void respond(answer, incoming, outgoing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const unsubscribe = repertoire.onChange(() => handler.notify.resourcesChanged())
  const address = server.address()
  const listening = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://${isIPv6(host) ? `[${host}]` : host}:${listening}${PATH}`,
    async close() {
      unsubscribe()
      await handler.close()
      server.closeAllConnections()
      if (server.listening) await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

async function respond(
  answer: (request: Request) => Response | Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const aborted = new AbortController()
  outgoing.once('close', () => aborted.abort())
  try {
    const response = await answer(requestOf(incoming, aborted.signal))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (response.body === null) outgoing.end()
    else await pipeline(Readable.fromWeb(response.body as never), outgoing)
  } catch {
    // The client has gone, or what it sent is not a request.
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(400).end()
  }
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const sent = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) sent.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: sent,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  })
}
