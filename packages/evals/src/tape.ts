import { failureText } from '@repertoire/core/adapter'
import { anyText, checkOptions, type OptionTable, required, secret, tableOf } from '@repertoire/core/options'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { EvalError, type EvalErrorCode } from './error.ts'
import type { EndpointSource, EvalEndpoint } from './harness.ts'
import { difference } from './tape/difference.ts'
import { createMask } from './tape/mask.ts'

/** Options of `createTape`. */
export interface TapeOptions {
  /** The folder of the tape, with a file for each run. */
  readonly folder: string
  /** The model's name. */
  readonly model: string
  /** The provider to record. Absent: the tape is replayed, and no provider is asked. */
  readonly record?: Omit<EvalEndpoint, 'model'> | undefined
}

const OPTIONS: OptionTable<TapeOptions> = {
  folder: required(anyText),
  model: required(anyText),
  record: tableOf<Omit<EvalEndpoint, 'model'>>({ baseURL: required(anyText), apiKey: secret }),
}

interface Answer {
  readonly contentType: string
  readonly text: string
}

interface Exchange {
  readonly path: string
  readonly request: unknown
  readonly contentType: string
  /** JSON as a value, a stream as its text. */
  readonly answer: unknown
}

/** What a run has in place of the provider's key. */
const KEY = 'key-of-the-tape'
const HEADERS = 'accept authorization x-api-key x-goog-api-key anthropic-version anthropic-beta openai-beta'.split(' ')

/**
 * Creates a model that records a provider, or replays what is recorded without a key. Give it to `skillHarness` as its
 * `model`. Each run is served on a free port of the loopback interface, below an address that nobody can guess.
 */
export function createTape(options: TapeOptions): EndpointSource {
  checkOptions('createTape', OPTIONS, options, "createTape({ folder: 'evals/tape', model })")
  const { folder, model, record } = options
  return {
    model,
    async open({ name: run, places }) {
      const file = join(folder, fileName(run))
      const exchanges = record === undefined ? await readTape(file, run) : []
      const mask = createMask(places, record?.apiKey)
      const ended = new AbortController()
      let steps = 0
      let failure: EvalError | undefined
      const failed = (code: EvalErrorCode, step: number, what: string): EvalError => {
        const fix = code === 'TAPE_DIFFERS' ? ' If the change is meant, record the tape again.' : ''
        return new EvalError(code, `Tape of "${run}", step ${step}: ${what}.${fix}`)
      }

      const replay = (step: number, asked: Pick<Exchange, 'path' | 'request'>): Answer => {
        const exchange = exchanges[step - 1]
        if (exchange === undefined) throw failed('TAPE_DIFFERS', step, 'the tape has ended, and the run asks once more')
        const { answer, contentType, path, request } = exchange
        const found = difference({ path, request }, asked)
        if (found !== undefined) throw failed('TAPE_DIFFERS', step, found)
        if (typeof answer === 'string') return { contentType, text: mask.restore(answer) }
        const restored = (_: string, each: unknown): unknown => (typeof each === 'string' ? mask.restore(each) : each)
        return { contentType, text: JSON.stringify(answer, restored) }
      }

      const base = `/${randomUUID()}`
      const serve = async (request: IncomingMessage): Promise<Answer> => {
        const step = ++steps
        const path = request.url!.slice(base.length)
        const body = await textOf(request)
        const asked = { path: mask.text(path), request: mask.json(body) }
        if (record === undefined) return replay(step, asked)
        const answer = await askProvider(record, path, body, request, ended.signal)
        const { status, contentType, text } = answer
        if (status !== 200) {
          const said = mask.text(text.slice(0, 400))
          throw failed('TAPE_NOT_RECORDED', step, `the provider answered ${status}: ${said}`)
        }
        const isJson = contentType.includes('json')
        if (!isJson && mask.isSpread(text)) {
          const why =
            'a secret or a path of the run is spread over several events of the stream, so it cannot be masked'
          throw failed('TAPE_NOT_RECORDED', step, why)
        }
        exchanges[step - 1] = { ...asked, contentType, answer: isJson ? mask.json(text) : mask.text(text) }
        return answer
      }

      const server = createServer((request, response) => {
        const send = (status: number, { contentType, text }: Answer): void => {
          response.writeHead(status, { 'content-type': contentType }).end(text)
        }
        const refuse = (error: unknown): void => {
          failure ??= error instanceof EvalError ? error : failed('TAPE_NOT_RECORDED', steps, failureText(error))
          const text = JSON.stringify({ error: { message: failure.message } })
          send(400, { contentType: 'application/json', text })
        }
        if (request.url?.startsWith(`${base}/`) === true) serve(request).then((answer) => send(200, answer), refuse)
        else response.writeHead(404).end()
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      return {
        endpoint: { baseURL: `http://127.0.0.1:${port}${base}`, apiKey: KEY, model },
        async finish() {
          ended.abort()
          server.close()
          server.closeAllConnections()
          if (failure !== undefined) throw failure
          if (record === undefined) {
            if (steps >= exchanges.length) return
            throw failed('TAPE_DIFFERS', steps + 1, 'the tape goes on, and the run has ended')
          }
          await mkdir(folder, { recursive: true })
          await writeFile(file, `${JSON.stringify({ tape: 1, run, model, exchanges }, null, 2)}\n`)
        },
      }
    },
  }
}

async function askProvider(
  { baseURL, apiKey = '' }: Omit<EvalEndpoint, 'model'>,
  path: string,
  body: string,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Answer & { readonly status: number }> {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value.replaceAll(KEY, apiKey))
  }
  const response = await fetch(`${baseURL.replace(/\/$/, '')}${path.replaceAll(KEY, apiKey)}`, {
    method: 'POST',
    // The key is for this address alone.
    redirect: 'manual',
    signal,
    headers,
    body,
  })
  const contentType = response.headers.get('content-type') ?? 'application/json'
  return { status: response.status, contentType, text: await response.text() }
}

/** Names of runs hold any characters; the digest keeps two of them apart. */
function fileName(run: string): string {
  const digest = createHash('sha256').update(run).digest('hex').slice(0, 8)
  const readable = run.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `${readable.slice(0, 80)}-${digest}.json`
}

async function readTape(file: string, run: string): Promise<Exchange[]> {
  try {
    const { exchanges } = JSON.parse(await readFile(file, 'utf8')) as { readonly exchanges: Exchange[] }
    return [...exchanges]
  } catch {
    const message = `${file} is missing, cut short or not a tape. Record the run "${run}" again.`
    throw new EvalError('TAPE_INVALID', message)
  }
}
