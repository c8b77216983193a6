import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type OptionTable, checkOptions, foreign } from '@repertoire/core/options'
import type { WireForm } from '../driver.ts'
import { inJson, type WrittenAnswer } from './answer.ts'
import type { AnswerEnd, Dialect } from './dialect.ts'
import { type Play, type PlayState, createPlay } from './play.ts'
import { type Protocol, type Refusal, RefusedRequest, type RequestHead } from './protocol.ts'
import { type ProtocolName, protocolOf } from './protocols.ts'
import type { ScriptStep } from './script.ts'
import { writesOf } from './pieces.ts'
import { type Fields, object } from './fields.ts'

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
 * Starts a model endpoint on a free port of the loopback interface. It speaks OpenAI chat completions, OpenAI
 * Responses, Anthropic Messages and Gemini, each in JSON and as server-sent events, refuses what the vendor would
 * refuse, and needs no network.
 */
export async function openModelEndpoint(): Promise<ModelEndpoint> {
  const plays = new Map<string, PlayState>()
  const states = new WeakMap<Play, PlayState>()
  const server = createServer((request, response) => {
    // A client that disconnects is not an error of the server.
    response.on('error', () => {})
    void serve(plays, request, response)
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
      const before = after === undefined ? undefined : states.get(after)
      const state = createPlay(baseURL, script, protocol, { after: before, form })
      plays.set(id, state)
      state.closed.addEventListener('abort', () => plays.delete(id))
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

async function serve(
  plays: ReadonlyMap<string, PlayState>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', headers } = request
  const [pathname = '', search] = (request.url ?? '').split('?', 2)
  const [, id = '', path = ''] = /^\/play\/([^/]+)(\/.*)$/.exec(pathname) ?? []
  const state = plays.get(id)
  const at = `${method} ${pathname}`
  if (state === undefined) {
    const message = `No conversation is played at ${at}; it may have ended.`
    return answerError(response, protocolOf(), { status: 404, message })
  }
  const { protocol, play, memory } = state
  const head: RequestHead = { method, path, headers, query: new URLSearchParams(search) }
  const left = new AbortController()
  // Without a reason of ours, each abort makes an error with its stack.
  response.once('close', () => left.abort('The client has left.'))
  state.closed.addEventListener('abort', () => response.destroy(), { once: true, signal: left.signal })
  try {
    protocol.authorize(head, play.apiKey)
    const served = protocol.route(head)
    if (served === undefined) {
      const known = `${protocol.served}, below ${new URL(play.baseURL).pathname}`
      const fix = "Check the variant's `protocol` and the client's base URL."
      throw new RefusedRequest(404, `${at} is not served. Known are ${known}. ${fix}`)
    }
    const body = await readBody(request)
    if ('reply' in served) return await send(response, inJson(served.reply(body)))
    const next = await state.next(served, body, left.signal)
    if ('status' in next) answerError(response, protocol, next)
    else await send(response, served.write(body, next, memory), next.end)
  } catch (error) {
    // A client that has disconnected has not been refused.
    if (!left.signal.aborted) answerError(response, protocol, state.refuse(error))
  }
}

/** Sends an answer in many small writes. */
async function send(response: ServerResponse, answer: WrittenAnswer, end?: AnswerEnd): Promise<void> {
  if (end === 'unsent') response.destroy()
  if (response.destroyed) return
  const writes = writesOf(end === 'early' ? answer.parts : [...answer.parts, ...answer.end])
  response.writeHead(200, { 'content-type': answer.contentType, 'cache-control': 'no-cache' })
  const disconnected = new Promise<void>((resolve) => void response.once('close', resolve))
  for (const write of end === 'cut' ? writes.slice(0, Math.ceil(writes.length / 2)) : writes) {
    if (response.destroyed) return
    // Each write is handed to the system before the next begins, so that they are not joined here.
    const written = new Promise<void>((resolve) => void response.write(write, () => resolve()))
    await Promise.race([written, disconnected])
  }
  if (end === 'cut') response.destroy()
  else response.end()
}

/** Writes an error in the shape of the protocol. */
function answerError(response: ServerResponse, protocol: Protocol, refusal: Refusal): void {
  if (response.destroyed) return
  const { status } = refusal
  const name = protocol.errors[status] ?? protocol.errors[status < 500 ? 'client' : 'server']
  const { headers, body } = protocol.error(name, refusal)
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

/**
 * Reads the body of a request, which is a JSON object in every protocol.
 * @throws {RefusedRequest} if it is not, or is too large
 * @throws {Error} if the client has disconnected
 */
async function readBody(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    // The rest is read and discarded, so that the client receives the answer.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  if (size > MAX_BODY_BYTES) {
    throw new RefusedRequest(413, `The request's body is larger than ${MAX_BODY_BYTES} bytes.`)
  }
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch (error) {
    throw new TypeError(`The body is not JSON: ${error instanceof Error ? error.message : ''}`, { cause: error })
  }
  return object(body, 'The body')
}
