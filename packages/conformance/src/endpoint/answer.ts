import type { ServerResponse } from 'node:http'
import { randomUUID } from 'node:crypto'
import { type AnswerHead, completion, completionChunks, errorBody, usageOf } from './completion.ts'
import type { EncodedMessage } from './dialect.ts'
import { writesOf } from './pieces.ts'

/** How an answer is to be written. */
export interface AnswerOptions {
  /** The request's body, of which model, streaming and usage are read. */
  readonly body: Readonly<Record<string, unknown>>
  readonly message: EncodedMessage
  /** Cuts the connection when half of the answer is sent. */
  readonly cut?: boolean
}

/** Writes an assistant's message, as JSON or as a stream of events, in many small writes. */
export async function answer(response: ServerResponse, { body, message, cut = false }: AnswerOptions): Promise<void> {
  const head: AnswerHead = {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    model: String(body.model),
  }
  const usage = usageOf(body, message)
  const streamed = body.stream === true
  const parts = streamed
    ? [...completionChunks(head, message, wantsUsage(body) ? usage : undefined).map(event), 'data: [DONE]\n\n']
    : [JSON.stringify(completion(head, message, usage))]
  const writes = writesOf(parts)
  response.writeHead(200, {
    'content-type': streamed ? 'text/event-stream; charset=utf-8' : 'application/json',
    'cache-control': 'no-cache',
  })
  await send(response, cut ? writes.slice(0, Math.ceil(writes.length / 2)) : writes)
  if (cut) response.destroy()
  else response.end()
}

/** Writes an error in OpenAI's shape. */
export function answerError(response: ServerResponse, status: number, message: string, code?: string): void {
  if (response.destroyed) return
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(errorBody(status, message, code)))
}

/** Each write is handed to the system before the next begins, so that they are not joined here. */
async function send(response: ServerResponse, writes: readonly Buffer[]): Promise<void> {
  const gone = new Promise<void>((resolve) => void response.once('close', resolve))
  for (const write of writes) {
    if (response.destroyed) return
    const written = new Promise<void>((resolve) => void response.write(write, () => resolve()))
    // One after the other is the point
    await Promise.race([written, gone])
  }
}

function event(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

function wantsUsage(body: Readonly<Record<string, unknown>>): boolean {
  const options = body.stream_options
  return typeof options === 'object' && options !== null && 'include_usage' in options && options.include_usage === true
}
