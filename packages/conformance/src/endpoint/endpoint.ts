import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OptionTable, checkOptions, foreign } from '@repertoire/core/options'
import type { WireForm } from '../driver.ts'
import type { Dialect } from './dialect.ts'
import { CUT_OFF, type Play, type PlayState, createPlay } from './play.ts'
import type { BodyAnswer, Exchange, Protocol, Refusal, RequestHead, WrittenAnswer } from './protocol.ts'
import { type ProtocolName, protocolOf } from './protocols.ts'
import type { ScriptStep } from './script.ts'
import { writesOf } from './pieces.ts'
import { type Fields, isObject } from './fields.ts'

/** How a conversation's model is set up. */
interface PlaySettings {
  readonly protocol?: ProtocolName | undefined
  readonly dialect?: Dialect | undefined
  readonly after?: Play | undefined
  readonly form?: WireForm | undefined
}

const PLAY_SETTINGS: OptionTable<PlaySettings> = {
  protocol: foreign('the name of a protocol'),
  dialect: foreign('a dialect'),
  after: foreign('an earlier play'),
  form: foreign("a driver's `wire`"),
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
   * @param options.form how the framework under test changes what it sends. Default: not at all
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
      const { protocol: name, dialect, after, form } = settings
      if (closed !== undefined) throw new TypeError('The model endpoint is closed and can play nothing more.')
      const protocol = protocolOf(name, dialect)
      const id = String(++count)
      const baseURL = `http://127.0.0.1:${port}/play/${id}${protocol.suffix}`
      const history = after === undefined ? undefined : states.get(after)?.history()
      const state = createPlay(baseURL, script, { protocol, history, form, onClose: () => plays.delete(id) })
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
    const known = `${protocol.served}, below ${new URL(state.play.baseURL).pathname}`
    const message = state.fail(
      `${at} is not served. Known are ${known}. Check the variant's \`protocol\` and the client's base URL.`,
    )
    return answerError(response, protocol, { ...route, message })
  }
  if ('json' in route) return answer(response, { contentType: 'application/json', parts: [JSON.stringify(route.json)] })
  if ('answerTo' in route) return answerFromBody(state, route, request, response)
  return answerExchange(state, route, request, response)
}

async function answerFromBody(
  state: PlayState,
  route: BodyAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { protocol } = state
  const read = await readBody(request)
  if (read === undefined) return
  if ('status' in read) return answerError(response, protocol, { ...read, message: state.fail(read.message) })
  let json: unknown
  try {
    json = route.answerTo(read.body)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = state.fail(`A request is malformed for ${protocol.name}: ${reason}`)
    return answerError(response, protocol, { status: 400, message })
  }
  await answer(response, { contentType: 'application/json', parts: [JSON.stringify(json)] })
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

/**
 * Writes an answer in many small writes.
 * @param cut cuts the connection when half of the answer is sent
 */
async function answer(response: ServerResponse, { contentType, parts }: WrittenAnswer, cut = false) {
  const writes = writesOf(parts)
  response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' })
  await send(response, cut ? writes.slice(0, Math.ceil(writes.length / 2)) : writes)
  if (cut) response.destroy()
  else response.end()
}

/** Writes an error in the shape of the protocol. */
function answerError(response: ServerResponse, protocol: Protocol, refusal: Refusal): void {
  if (response.destroyed) return
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { headers, body } = protocol.error(refusal)
  response.writeHead(refusal.status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

/** Each write is handed to the system before the next begins, so that they are not joined here. */
async function send(response: ServerResponse, writes: readonly Buffer[]): Promise<void> {
  const disconnected = new Promise<void>((resolve) => void response.once('close', resolve))
  for (const write of writes) {
    if (response.destroyed) return
    const written = new Promise<void>((resolve) => void response.write(write, () => resolve()))
    // Sequential on purpose
    await Promise.race([written, disconnected])
  }
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

/**
 * Reads the body of a request, which is a JSON object in every protocol.
 *
 * @returns the body; or the refusal; or undefined if the client has disconnected
 */
async function readBody(
  request: IncomingMessage,
): Promise<{ body: Fields } | { status: number; message: string } | undefined> {
  const bytes = await collect(request)
  if (bytes === undefined) return undefined
  if (bytes === 'too large')
    return { status: 413, message: `The request's body is larger than ${MAX_BODY_BYTES} bytes.` }
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return { status: 400, message: `The request's body is not JSON: ${error instanceof Error ? error.message : ''}` }
  }
  return isObject(body) ? { body } : { status: 400, message: `The request's body is not a JSON object.` }
}

async function collect(request: IncomingMessage): Promise<Buffer | 'too large' | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      // The rest is read and discarded, so that the client receives the answer.
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      else chunks.length = 0
    }
  } catch {
    return undefined
  }
  return size > MAX_BODY_BYTES ? 'too large' : Buffer.concat(chunks)
}
