import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkOptions, foreign, type OptionTable } from '@repertoire/core/options'
import { answer, answerError } from './answer.ts'
import { readBody } from './body.ts'
import type { Dialect } from './dialect.ts'
import { createPlay, CUT_OFF, type Play, type PlayState } from './play.ts'
import type { RequestHead, Exchange } from './protocol.ts'
import { type ProtocolName, protocolOf } from './protocols.ts'
import type { ScriptStep } from './script.ts'

/** How a conversation's model is set up. */
interface PlaySettings {
  readonly protocol?: ProtocolName | undefined
  readonly dialect?: Dialect | undefined
  readonly after?: Play | undefined
}

const PLAY_SETTINGS: OptionTable<PlaySettings> = {
  protocol: foreign('the name of a protocol'),
  dialect: foreign('a dialect'),
  after: foreign('an earlier play'),
}

/** A model that plays scripts, on loopback. One serves any number of conversations at once. */
export interface ModelEndpoint {
  /**
   * Sets up the model of a conversation: it plays one step of the script per request, at its own address and with its
   * own key.
   * @param options.protocol which vendor's protocol it speaks. Default: OpenAI chat completions
   * @param options.dialect how tools and calls are written inside chat-completions messages. Default: as native tool
   * calls
   * @param options.after a play that this one continues: ids of calls continue, so that they stay unique
   * @throws {TypeError} for an unknown protocol, and for a dialect with a protocol other than `openai`
   */
  play(script: readonly ScriptStep[], options?: PlaySettings): Play
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

/**
 * Starts a model endpoint on a free port of the loopback interface. It speaks OpenAI chat completions, OpenAI Responses,
 * Anthropic Messages and Gemini, each in JSON and as server-sent events, refuses what the vendor would refuse, and needs no
 * network.
 */
export async function openModelEndpoint(): Promise<ModelEndpoint> {
  const plays = new Map<string, PlayState>()
  const states = new WeakMap<Play, PlayState>()
  const server = createServer((request, response) => {
    // A client that disconnects is not an error of the server.
    response.on('error', () => {})
    serve(plays, request, response).catch((error: unknown) => {
      answerError(response, protocolOf(), { status: 500, message: String(error) })
    })
  })
  // If the server closed an idle connection while a client reuses it, that request would fail for no reason.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  let count = 0
  let closed: Promise<void> | undefined

  return {
    play(script, settings = {}) {
      checkOptions('play', PLAY_SETTINGS, settings)
      const { protocol: name, dialect, after } = settings
      if (closed !== undefined) throw new TypeError('The model endpoint is closed and can play nothing more.')
      const protocol = protocolOf(name, dialect)
      const id = String(++count)
      const baseURL = `http://127.0.0.1:${port}/play/${id}${protocol.suffix}`
      const history = after === undefined ? undefined : states.get(after)?.history()
      const state = createPlay(baseURL, script, { protocol, history, onClose: () => plays.delete(id) })
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
  const { method = 'GET', headers } = request
  const [pathname = '', search] = (request.url ?? '').split('?', 2)
  const [, id = '', path = ''] = /^\/play\/([^/]+)(\/.*)$/.exec(pathname) ?? []
  const state = plays.get(id)
  const at = `${method} ${pathname}`
  if (state === undefined) {
    const message = `No conversation is played at ${at}; it may have ended.`
    return answerError(response, protocolOf(), { status: 404, message })
  }
  const { protocol } = state
  const head: RequestHead = { method, path, headers, query: new URLSearchParams(search) }
  const refusal = protocol.refusalOf(head, state.play.apiKey)
  if (refusal !== undefined) {
    return answerError(response, protocol, { ...refusal, message: state.fail(`${at} ${refusal.message}`) })
  }
  const route = protocol.route(head)
  if ('status' in route) {
    const message = state.fail(`${at} is not served. Known are ${protocol.served}.`)
    return answerError(response, protocol, { ...route, message })
  }
  if ('json' in route) return answer(response, { contentType: 'application/json', parts: [JSON.stringify(route.json)] })
  return answerExchange(state, route, request, response)
}

async function answerExchange(
  state: PlayState,
  exchange: Exchange,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { protocol } = state
  const cutConnection = (): void => void response.destroy()
  state.closed.addEventListener('abort', cutConnection, { once: true })
  const left = new AbortController()
  response.once('close', () => left.abort())
  try {
    const read = await readBody(request)
    if (read === undefined) return
    if ('status' in read) return answerError(response, protocol, { ...read, message: state.fail(read.message) })
    const { body } = read
    const next = await state.next(exchange, body, left.signal)
    if (response.destroyed) return
    if ('status' in next) return answerError(response, protocol, next)
    if ('message' in next) return await answer(response, exchange.write(body, next.message, state.memory))
    if (next.drop === 'before-headers') return cutConnection()
    return await answer(response, exchange.write(body, CUT_OFF, state.memory), true)
  } finally {
    state.closed.removeEventListener('abort', cutConnection)
  }
}
