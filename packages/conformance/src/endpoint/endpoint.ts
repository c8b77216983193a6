import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer, answerError } from './answer.ts'
import { readBody } from './body.ts'
import type { Dialect } from './dialect.ts'
import { createPlay, cutOff, type Play, type PlayState } from './play.ts'
import type { ScriptStep } from './script.ts'

/** A model that plays scripts, on loopback. One serves any number of conversations at once. */
export interface ModelEndpoint {
  /**
   * Sets a conversation's model up: one step of the script a request, under an address and a key of its own.
   * @param options.dialect default: OpenAI chat completions with native tool calls
   * @param options.after a play whose conversation goes on in this one: ids of calls count on, so that none comes twice
   */
  play(script: readonly ScriptStep[], options?: { dialect?: Dialect | undefined; after?: Play | undefined }): Play
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

/**
 * Starts a model endpoint on a free port of the loopback interface. It speaks OpenAI chat completions
 * (`POST /chat/completions` as JSON and as server-sent events, `GET /models`) and needs no network.
 */
export async function openModelEndpoint(): Promise<ModelEndpoint> {
  const plays = new Map<string, PlayState>()
  const states = new WeakMap<Play, PlayState>()
  const server = createServer((request, response) => {
    // A client that goes away in the middle is no error of the server's.
    response.on('error', () => {})
    serve(plays, request, response).catch((error: unknown) => answerError(response, 500, String(error)))
  })
  // An idle connection that the server closes while a client takes it up again fails a request for no reason.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  let count = 0
  let closed: Promise<void> | undefined

  return {
    play(script, { dialect, after } = {}) {
      if (closed !== undefined) throw new TypeError('The model endpoint is closed and can play nothing more.')
      const id = String(++count)
      const baseURL = `http://127.0.0.1:${port}/play/${id}/v1`
      const history = after === undefined ? undefined : states.get(after)?.history()
      const state = createPlay(baseURL, script, { dialect, history, onClose: () => plays.delete(id) })
      plays.set(id, state)
      states.set(state.play, state)
      return state.play
    },
    close() {
      closed ??= new Promise((resolve) => {
        for (const { play } of plays.values()) play.close()
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closed
    },
  }
}

async function serve(plays: ReadonlyMap<string, PlayState>, request: IncomingMessage, response: ServerResponse) {
  const [pathname = ''] = (request.url ?? '').split('?')
  const [, id = '', path = ''] = /^\/play\/([^/]+)\/v1(\/.*)$/.exec(pathname) ?? []
  const state = plays.get(id)
  const route = `${request.method} ${pathname}`
  if (state === undefined)
    return answerError(response, 404, `No conversation is played at ${route}; it may have ended.`)
  if (request.headers.authorization !== `Bearer ${state.play.apiKey}`) {
    return answerError(response, 401, state.fail(`${route} came without the key of its play.`), 'invalid_api_key')
  }
  if (path === '/models' && request.method === 'GET') return answerModels(state.play, response)
  if (path === '/chat/completions' && request.method === 'POST') return answerChat(state, request, response)
  const known = path === '/models' || path === '/chat/completions'
  const failure = `${route} is not served. Known are POST /chat/completions and GET /models.`
  return answerError(response, known ? 405 : 404, state.fail(failure))
}

async function answerChat(state: PlayState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const cutConnection = (): void => void response.destroy()
  state.closed.addEventListener('abort', cutConnection, { once: true })
  try {
    const read = await readBody(request)
    if (read === undefined) return
    if ('status' in read) return answerError(response, read.status, state.fail(read.message))
    const { body } = read
    const next = await state.next(body)
    if (response.destroyed) return
    if ('status' in next) return answerError(response, next.status, next.message)
    if ('message' in next) return await answer(response, { body, message: next.message })
    if (next.drop === 'before-headers') return cutConnection()
    return await answer(response, { body, message: cutOff(), cut: true })
  } finally {
    state.closed.removeEventListener('abort', cutConnection)
  }
}

function answerModels({ model }: Play, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ object: 'list', data: [{ id: model, object: 'model', created: 0, owned_by: 'conformance' }] }),
  )
}
