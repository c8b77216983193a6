import type { IncomingMessage } from 'node:http'
import { type Fields, isObject } from './fields.ts'

const MAX_BODY_BYTES = 16 * 1024 * 1024

/**
 * Reads the body of a request, which is a JSON object in every protocol.
 *
 * @returns the body; or the refusal; or undefined if the client has disconnected
 */
export async function readBody(
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
