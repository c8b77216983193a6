import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came in. */
export interface RawRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Readonly<Record<string, unknown>>
}

export interface RawEndpoint {
  readonly baseURL: string
  readonly requests: readonly RawRequest[]
}

/** What is done at one request. */
export type RawAnswer = (response: ServerResponse) => void

/** A model endpoint on loopback that answers byte for byte as a test says, once a request. It goes with the test. */
export async function openRawEndpoint(...answers: readonly RawAnswer[]): Promise<RawEndpoint> {
  const requests: RawRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
    const answer = answers[requests.length]
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    if (answer === undefined)
      response.writeHead(400).end(JSON.stringify({ error: { message: 'A request beyond the answers.' } }))
    else answer(response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

/** Answers with a JSON value. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): RawAnswer {
  return (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}

/** Answers with a chat completion that holds this message. */
export function message(fields: unknown, finish_reason: string | null = 'stop', usage?: unknown): RawAnswer {
  return json({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...(fields as object) }, finish_reason }],
    usage,
  })
}

/** Answers with a stream of chunks, and how it ends. */
export function events(chunks: readonly unknown[], end: 'done' | 'silent' | 'cut' = 'done'): RawAnswer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
    response.write(end === 'done' ? `${text}data: [DONE]\n\n` : text, () =>
      end === 'cut' ? response.destroy() : response.end(),
    )
  }
}

/** A chunk of a streamed message. */
export function delta(fields: unknown, finish_reason: string | null = null): unknown {
  return { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: fields, finish_reason }] }
}
