import type { IncomingMessage } from 'node:http'

const LARGEST_BODY = 16 * 1024 * 1024

/**
 * Reads the body of a chat-completions request, and checks the fields that are the same in every dialect.
 *
 * @returns the body; or what it must be refused with; or undefined where the client went away
 */
export async function readBody(
  request: IncomingMessage,
): Promise<{ body: Readonly<Record<string, unknown>> } | { status: number; message: string } | undefined> {
  const bytes = await collect(request)
  if (bytes === undefined) return undefined
  if (bytes === 'too large') return { status: 413, message: `The request's body is larger than ${LARGEST_BODY} bytes.` }
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return { status: 400, message: `The request's body is no JSON: ${error instanceof Error ? error.message : ''}` }
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { status: 400, message: `The request's body is no JSON object.` }
  }
  const fields = body as Readonly<Record<string, unknown>>
  const wrong = wrongField(fields)
  return wrong === undefined ? { body: fields } : { status: 400, message: wrong }
}

/** OpenAI API reference, "Create chat completion". */
function wrongField({ model, stream, stream_options: options }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof model !== 'string' || model === '') return 'You must provide a "model" parameter, a string.'
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean') return '"stream" is no boolean.'
  if (options !== undefined && options !== null && stream !== true) {
    return '"stream_options" is only allowed when "stream" is true.'
  }
  return undefined
}

async function collect(request: IncomingMessage): Promise<Buffer | 'too large' | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      // Reading goes on to the end, so that the client gets to see the answer; nothing is kept.
      if (size <= LARGEST_BODY) chunks.push(chunk)
      else chunks.length = 0
    }
  } catch {
    return undefined
  }
  return size > LARGEST_BODY ? 'too large' : Buffer.concat(chunks)
}
