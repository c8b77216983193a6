import { nativeTools, type WireRequest } from '@repertoire/conformance'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jsonOrText } from '../json-or-text.ts'
import { type Upstream, UpstreamFailure, ask } from './upstream.ts'

/** A server on loopback that forwards requests to a model endpoint, and records them. */
export interface Recorder {
  /** Sets an address up for one adapter. @param onRequest receives each request */
  open(onRequest?: (count: number) => void): Recording
  /** Cuts every connection and stops listening. */
  close(): Promise<void>
}

/** The requests of one adapter, and the address it sends them to. */
export interface Recording {
  /** Must be passed unchanged to an SDK. The real key stays here. */
  readonly baseURL: string
  readonly apiKey: string
  /** Every request that could be read, oldest first. Grows. */
  readonly requests: readonly WireRequest[]
  /** The failures of requests to the endpoint, oldest first. */
  readonly failures: readonly UpstreamFailure[]
}

interface OpenRecording extends Recording {
  readonly requests: WireRequest[]
  readonly failures: UpstreamFailure[]
  readonly onRequest: (count: number) => void
}

/** As large as a long conversation can be. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Starts a recorder on a free port of the loopback interface. */
export async function openRecorder(upstream: Upstream): Promise<Recorder> {
  const recordings = new Map<string, OpenRecording>()
  const server = createServer((request, response) => {
    // A client that goes away in the middle is not an error of the server's.
    response.on('error', () => {})
    serve(recordings, upstream, request, response).catch((error: unknown) => answerError(response, 500, String(error)))
  })
  // If the server closed an idle connection while a client reuses it, that request would fail for no reason.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    open(onRequest = () => {}) {
      const id = String(recordings.size + 1)
      const baseURL = `http://127.0.0.1:${port}/${id}/v1`
      const recording = { baseURL, apiKey: `sk-demo-${randomUUID()}`, requests: [], failures: [], onRequest }
      recordings.set(id, recording)
      return recording
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function serve(
  recordings: ReadonlyMap<string, OpenRecording>,
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [, id = '', path = ''] = /^\/(\d+)\/v1(\/[^?]*)/.exec(request.url ?? '') ?? []
  const recording = recordings.get(id)
  // Other programs on this machine reach this port too, and the user's key is behind it.
  if (recording === undefined || request.headers.authorization !== `Bearer ${recording.apiKey}`) {
    return answerError(response, 401, 'This address records one conversation, and takes its key alone.')
  }
  if (request.method !== 'POST' || path !== '/chat/completions') {
    return answerError(response, 404, `${request.method} ${path} is not handed on: only POST /chat/completions is.`)
  }
  const body = await collect(request)
  if (body === undefined) return answerError(response, 413, `The request is larger than ${MAX_BODY_BYTES} bytes.`)
  record(recording, body)
  recording.onRequest(recording.requests.length)

  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const answer = await ask(upstream, body, gone.signal)
    response.writeHead(answer.status, { 'content-type': answer.contentType, 'cache-control': 'no-cache' })
    response.flushHeaders()
    // Not with a pipeline, which closes both ends at once: it would not show which side broke off.
    for await (const chunk of answer.body) {
      if (!response.write(chunk)) await once(response, 'drain', { signal: gone.signal })
    }
    response.end()
  } catch (error) {
    if (gone.signal.aborted) return
    const failure =
      error instanceof UpstreamFailure
        ? error
        : new UpstreamFailure('broken', error instanceof Error ? error.message : String(error))
    recording.failures.push(failure)
    answerError(response, failure.status ?? 502, failure.message)
  }
}

function record({ requests, failures }: OpenRecording, body: Buffer): void {
  const raw = jsonOrText(body.toString('utf8'))
  try {
    requests.push({ ...nativeTools.decode(raw, []), raw })
  } catch (error) {
    // It is forwarded unchanged: endpoints accept more than OpenAI's own does.
    failures.push(new UpstreamFailure('unread', error instanceof Error ? error.message : String(error)))
  }
}

async function collect(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks)
}

/** In OpenAI's shape, so that SDKs find the message. */
function answerError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'demo_error', param: null, code: null } }))
}
