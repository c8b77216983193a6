import { checkOptions, number, type OptionTable, withDefault } from '@repertoire/core/options'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type HttpSkillsServer, SERVE_OPTIONS, type ServeOptions, skillsServerFactory } from './serve.ts'

/** Options of `serveSkillsOverHttp`. */
export interface ServeHttpOptions extends ServeOptions {
  /** The port to listen on. Default 0: any that is free. */
  readonly port?: number | undefined
}

const OPTIONS: OptionTable<ServeHttpOptions> = {
  ...SERVE_OPTIONS,
  port: withDefault(0, number('', { from: 0, to: 65_535, isWhole: true })),
}

/** For other machines, put the host's own server with its own authentication before it. */
const HOST = '127.0.0.1'

/** Where clients find the server. */
const PATH = '/mcp'

/**
 * Serves the skills of a repertoire by streamable HTTP to programs of the same machine. A page in a browser is refused,
 * by `Host` and `Origin`.
 * @throws the error of the system where it cannot listen
 */
export async function serveSkillsOverHttp(options: ServeHttpOptions): Promise<HttpSkillsServer> {
  checkOptions('serveSkillsOverHttp', OPTIONS, options)
  const { port = 0, repertoire } = options
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
    server.listen(port, HOST, resolve)
  })
  const unsubscribe = repertoire.onChange(() => handler.notify.resourcesChanged())
  const address = server.address() as AddressInfo
  return {
    url: `http://${HOST}:${address.port}${PATH}`,
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
    outgoing.setHeaders(response.headers).writeHead(response.status)
    await pipeline(response.body ?? [], outgoing)
  } catch {
    // The client has gone, or what it sent is not a request.
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(400).end()
  }
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headersDistinct } = incoming
  const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
    name,
    values.join(', '),
  ])
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Readable.toWeb(incoming), duplex: 'half' as const }
  return new Request(new URL(url, `http://${HOST}`), { method, headers, signal, ...body })
}
