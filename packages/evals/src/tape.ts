import { failureText } from '@repertoire/core/adapter'
import { anyText, checkOptions, type OptionTable, required, secret, tableOf } from '@repertoire/core/options'
import { isObject } from '@repertoire/skill-md/internal'
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

interface Exchange {
  readonly asked: unknown
  /** JSON as a value, a stream as its text. */
  readonly answer: unknown
}

const HEADERS = 'authorization api-key x-api-key x-goog-api-key anthropic-version anthropic-beta openai-beta'.split(' ')

/**
 * Creates a model that records a provider, or replays what is recorded without a key. Give it to `skillHarness` as its
 * `model`. Each run is served on a free port of the loopback interface, below an address that cannot be guessed. The
 * `failures` say, in their order, why runs were not those of the tape, or could not be recorded.
 */
export function createTape(options: TapeOptions): EndpointSource & { readonly failures: readonly EvalError[] } {
  checkOptions('createTape', OPTIONS, options, "createTape({ folder: 'evals/tape', model })")
  const { folder, model, record } = options
  const apiKey = record?.apiKey ?? 'key-of-the-tape'
  const failures: EvalError[] = []
  const failed = (code: EvalErrorCode, message: string): EvalError => {
    const error = new EvalError(code, message)
    failures.push(error)
    return error
  }
  return {
    model,
    failures,
    async open({ name: run, places }) {
      const file = join(folder, fileName(run))
      const exchanges = record === undefined ? await readTape(file) : []
      if (exchanges === undefined) {
        throw failed('TAPE_INVALID', `${file} is missing, cut short or not a tape. Record the run "${run}" again.`)
      }
      const mask = createMask(places, apiKey)
      const ended = new AbortController()
      let steps = 0
      let failure: EvalError | undefined
      const failedAt = (step: number, what: string): EvalError => {
        const message = `Tape of "${run}", step ${step}: ${what}.`
        if (record !== undefined) return failed('TAPE_NOT_RECORDED', message)
        return failed('TAPE_DIFFERS', `${message} If the change is meant, record the tape again.`)
      }

      /** @throws why the step is another one than on the tape, or cannot be recorded */
      const answerTo = async (request: IncomingMessage, path: string, step: number): Promise<unknown> => {
        const body = await textOf(request)
        const asked = { path: mask.text(path), request: mask.value(JSON.parse(body)) }
        if (record === undefined) {
          const exchange = exchanges[step - 1]
          if (exchange === undefined) throw new Error('the tape has ended, and the run asks once more')
          const found = difference(exchange.asked, asked)
          if (found !== undefined) throw new Error(found)
          return mask.restored(exchange.answer)
        }
        const url = record.baseURL.replace(/\/$/, '') + path
        const { status, answer } = await askProvider(url, body, request, ended.signal)
        const masked = mask.value(answer)
        if (status !== 200) throw new Error(`the provider answered ${status}: ${JSON.stringify(masked).slice(0, 400)}`)
        exchanges[step - 1] = { asked, answer: masked }
        return answer
      }

      const base = `/${randomUUID()}`
      const server = createServer((request, response) => {
        const send = (status: number, answer: unknown): void => {
          const [type, text] =
            typeof answer === 'string' ? ['text/event-stream', answer] : ['application/json', JSON.stringify(answer)]
          response.writeHead(status, { 'content-type': type }).end(text)
        }
        if (request.url?.startsWith(`${base}/`) !== true) return send(404, {})
        const step = ++steps
        answerTo(request, request.url.slice(base.length), step).then(
          (answer) => send(200, answer),
          (error: unknown) => {
            failure ??= failedAt(step, mask.text(failureText(error)))
            send(400, { error: { message: failure.message } })
          },
        )
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`
      return {
        endpoint: { baseURL, apiKey, model },
        async finish() {
          ended.abort()
          server.close()
          server.closeAllConnections()
          if (failure !== undefined) throw failure
          if (record === undefined) {
            if (steps >= exchanges.length) return
            throw failedAt(steps + 1, 'the tape goes on, and the run has ended')
          }
          if (Object.keys(exchanges).length < steps) throw failedAt(steps, 'the run ended before the provider answered')
          await mkdir(folder, { recursive: true })
          await writeFile(file, `${JSON.stringify({ tape: 1, run, model, exchanges }, null, 2)}\n`)
        },
      }
    },
  }
}

async function askProvider(url: string, body: string, request: IncomingMessage, signal: AbortSignal) {
  const headers = new Headers({ 'content-type': 'application/json' })
  for (const name of HEADERS) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const response = await fetch(url, {
    method: 'POST',
    // The key is for this address alone.
    redirect: 'manual',
    signal,
    headers,
    body,
  })
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer: unknown = await (isJson === true ? response.json() : response.text())
  return { status: response.status, answer }
}

/** Names of runs hold any characters; the digest keeps two of them apart. */
function fileName(run: string): string {
  const digest = createHash('sha256').update(run).digest('hex').slice(0, 8)
  const readable = run.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return `${readable.slice(0, 80)}-${digest}.json`
}

async function readTape(file: string): Promise<Exchange[] | undefined> {
  try {
    const { exchanges } = JSON.parse(await readFile(file, 'utf8')) as { readonly exchanges: Exchange[] }
    return exchanges.every(({ asked, answer }) => isObject(asked) && answer !== undefined) ? exchanges : undefined
  } catch {
    return undefined
  }
}
