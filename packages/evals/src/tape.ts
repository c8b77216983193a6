import type { ProtocolName } from '@repertoire/conformance'
import { checkOptions } from '@repertoire/core/options'
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { EvalError, type EvalErrorCode } from './error.ts'
import type { EndpointSource, OpenedEndpoint, RunPlace } from './harness.ts'
import { difference } from './tape/difference.ts'
import { createMask, type TapeMask } from './tape/mask.ts'
import { TAPE_OPTIONS, type TapeOptions } from './tape/options.ts'
import { askProvider, suffixOf, type TapeUpstream } from './tape/provider.ts'

export type { TapeOptions } from './tape/options.ts'
export type { TapeUpstream } from './tape/provider.ts'

/** A recorded model. Give it to `skillHarness` as its `model`. */
export interface Tape extends EndpointSource {
  close(): Promise<void>
}

interface Exchange {
  readonly path: string
  readonly request: unknown
  readonly contentType: string
  readonly answer: unknown
}

interface TapeFile {
  readonly tape: 1
  readonly run: string
  readonly source: string
  readonly model: string
  readonly protocol: ProtocolName
  readonly count: number
  readonly exchanges: readonly Exchange[]
}

/** A run that is recorded or replayed. */
interface Reel {
  readonly run: string
  readonly key: string
  readonly mask: TapeMask
  readonly exchanges: Exchange[]
  step: number
  failure?: EvalError
}

const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Opens a tape, replays it with a function, and closes it, whatever happens. */
export async function withTape<T>(options: TapeOptions, use: (tape: Tape) => Promise<T>): Promise<T> {
  const tape = await openTape(options)
  try {
    return await use(tape)
  } finally {
    await tape.close()
  }
}

/** Opens a tape on a free port of the loopback interface. */
export async function openTape(options: TapeOptions): Promise<Tape> {
  checkOptions('openTape', TAPE_OPTIONS, options, "openTape({ folder: 'evals/tape', model })")
  const { folder, model, protocol = 'openai', record, secrets = [], places = {} } = options
  const source = options.source ?? (record === undefined ? '' : new URL(record.baseURL).host)
  const known = record?.apiKey === undefined ? secrets : [record.apiKey, ...secrets]
  const reels = new Map<string, Reel>()
  const ended = new AbortController()
  const server = createServer((request, response) => {
    response.on('error', () => {})
    serve(request, response).catch((error: unknown) => answerError(response, 500, String(error)))
  })
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const [, id = '', rest = ''] = /^\/tape\/(\d+)(\/.*)$/.exec(url.pathname) ?? []
    const reel = reels.get(id)
    const { authorization, ...headers } = request.headers
    const keys = [
      authorization?.slice('Bearer '.length),
      headers['x-api-key'],
      headers['x-goog-api-key'],
      url.searchParams.get('key'),
    ]
    if (reel === undefined || !keys.includes(reel.key))
      return answerError(response, 401, 'This tape takes its own key alone.')
    const body = await readBody(request)
    url.searchParams.delete('key')
    const path = rest.slice(suffixOf(protocol).length) + url.search
    const step = ++reel.step
    try {
      const sent = { path, body: JSON.parse(body) as unknown, text: body, headers: request.headers }
      const answer = record === undefined ? replayed(reel, step, sent) : await recorded(reel, step, record, sent)
      response.writeHead(answer.status, { 'content-type': answer.contentType })
      response.end(answer.text)
    } catch (error) {
      reel.failure ??=
        error instanceof EvalError ? error : failed('TAPE_NOT_RECORDED', reel, step, String(error), error)
      answerError(response, 400, reel.failure.message)
    }
  }

  interface Sent {
    readonly path: string
    readonly body: unknown
    readonly text: string
    readonly headers: IncomingMessage['headers']
  }

  function replayed(reel: Reel, step: number, sent: Sent): Answer {
    const exchange = reel.exchanges[step - 1]
    if (exchange === undefined) {
      const many = reel.exchanges.length === 1 ? '1 exchange' : `${reel.exchanges.length} exchanges`
      throw failed('TAPE_DIFFERS', reel, step, `the tape has ${many}, and the run asks once more`)
    }
    const asked = { path: sent.path, request: reel.mask.request(sent.body) }
    const found = difference({ path: exchange.path, request: exchange.request }, asked)
    if (found !== undefined) throw failed('TAPE_DIFFERS', reel, step, found)
    const { answer, contentType } = exchange
    const text = typeof answer === 'string' ? reel.mask.restore(answer) : restoreJson(answer, reel.mask)
    return { status: 200, contentType, text }
  }

  async function recorded(reel: Reel, step: number, upstream: TapeUpstream, sent: Sent): Promise<Answer> {
    const request = reel.mask.request(sent.body)
    const answer = await askProvider(upstream, protocol, { ...sent, body: sent.text }, ended.signal)
    if (answer.status < 200 || answer.status >= 300) {
      const said = reel.mask.text(answer.text.slice(0, 400))
      throw failed('TAPE_NOT_RECORDED', reel, step, `the provider answered ${answer.status}: ${said}`)
    }
    const json = answer.contentType.includes('json')
    if (!json && isSpread(answer.text, reel.mask)) {
      const why = 'a secret or a path of the run is spread over several events of the stream, so it cannot be masked'
      throw failed('TAPE_NOT_RECORDED', reel, step, `${why}. Record a variant that does not stream`)
    }
    const kept = json ? reel.mask.value(JSON.parse(answer.text)) : reel.mask.text(answer.text)
    reel.exchanges[step - 1] = {
      path: reel.mask.text(sent.path),
      request,
      contentType: answer.contentType,
      answer: kept,
    }
    return answer
  }

  return {
    model,
    async open(run: RunPlace): Promise<OpenedEndpoint> {
      const file = join(folder, fileName(run.name))
      const mask = createMask({ ...places, ...run.places }, known)
      const exchanges = record === undefined ? [...(await readTape(file, run.name)).exchanges] : []
      const reel: Reel = { run: run.name, key: `tape-${randomUUID()}`, mask, exchanges, step: 0 }
      const id = String(reels.size + 1)
      reels.set(id, reel)
      const baseURL = `${origin}/tape/${id}${suffixOf(protocol)}`
      return {
        endpoint: { baseURL, apiKey: reel.key, model },
        async finish() {
          // The place in the map stays, so that ids are unique.
          reels.set(id, { ...reel, key: randomUUID(), exchanges: [] })
          if (reel.failure !== undefined) throw reel.failure
          if (record !== undefined) {
            const written = {
              tape: 1,
              run: run.name,
              source,
              model,
              protocol,
              count: exchanges.length,
              exchanges,
            } as const
            return writeTape(folder, file, written)
          }
          if (reel.step >= exchanges.length) return
          throw failed(
            'TAPE_DIFFERS',
            reel,
            reel.step + 1,
            `the tape has ${exchanges.length} exchanges, and the run made ${reel.step}`,
          )
        },
      }
    },
    close() {
      ended.abort()
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

interface Answer {
  readonly status: number
  readonly contentType: string
  readonly text: string
}

function failed(code: EvalErrorCode, { run }: Reel, step: number, what: string, cause?: unknown): EvalError {
  const fix = code === 'TAPE_DIFFERS' ? ' If the change is meant, record the tape again.' : ''
  return new EvalError(code, `Tape of "${run}", step ${step}: ${what}.${fix}`, { cause })
}

/** Names of runs hold any characters; the digest keeps two of them apart. */
function fileName(run: string): string {
  const digest = createHash('sha256').update(run).digest('hex').slice(0, 8)
  const readable = run
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
  return `${readable}-${digest}.json`
}

async function readTape(file: string, run: string): Promise<TapeFile> {
  const invalid = (why: string): EvalError =>
    new EvalError('TAPE_INVALID', `${file}: ${why}. Record the run "${run}" again.`, { file, line: 1 })
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw invalid('there is no such tape')
  let tape: Partial<TapeFile>
  try {
    tape = JSON.parse(text) as Partial<TapeFile>
  } catch {
    throw invalid('the tape is cut short or not JSON')
  }
  const { exchanges } = tape
  if (tape.tape !== 1 || !Array.isArray(exchanges)) throw invalid('it is not a tape of version 1')
  if (exchanges.length !== tape.count)
    throw invalid(`the tape has ${exchanges.length} exchanges instead of ${tape.count}`)
  return tape as TapeFile
}

async function writeTape(folder: string, file: string, tape: TapeFile): Promise<void> {
  await mkdir(folder, { recursive: true })
  const beside = `${file}.${randomUUID()}`
  await writeFile(beside, `${JSON.stringify(tape, null, 2)}\n`)
  await rename(beside, file)
}

function restoreJson(value: unknown, mask: TapeMask): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? mask.restore(each) : each))
}

/** Whether texts of a stream together hold what none of them holds alone. */
function isSpread(stream: string, mask: TapeMask): boolean {
  const joined = new Map<string, string>()
  for (const line of stream.split(/\r?\n/)) {
    if (!line.startsWith('data:')) continue
    try {
      JSON.parse(line.slice('data:'.length), (key, value: unknown) => {
        if (typeof value === 'string') joined.set(key, (joined.get(key) ?? '') + mask.text(value))
        return value
      })
    } catch {
      // Not every event is JSON: OpenAI ends with "[DONE]".
    }
  }
  return [...joined.values()].some((text) => mask.hides(text))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error(`The request is larger than ${MAX_BODY_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** In a shape in which the clients of all vendors find the message. */
function answerError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      type: 'error',
      error: { type: 'invalid_request_error', code: status, message, status: 'INVALID_ARGUMENT' },
    }),
  )
}
