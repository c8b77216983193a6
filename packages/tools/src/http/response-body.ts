import { ToolFailure } from '../result.ts'

/** The body of an answer, as much as was read. */
export interface ReadBody {
  readonly body: string
  /** `text`: as its charset says; `base64`: bytes that are not text. */
  readonly encoding: 'text' | 'base64'
  /** Whether there was more. */
  readonly truncated: boolean
}

/**
 * Reads a body up to a number of bytes, counted as they are when they are decompressed: a few kilobytes of gzip can be
 * many megabytes.
 * @throws {ToolFailure} TOO_LARGE there is more, and it is not to be cut
 */
export async function readBody(
  stream: ReadableStream<Uint8Array> | null,
  type: string,
  { maxBytes, cuts }: { readonly maxBytes: number; readonly cuts: boolean },
): Promise<ReadBody> {
  const chunks: Uint8Array[] = []
  let left = maxBytes
  let truncated = false
  for await (const chunk of stream ?? []) {
    if (chunk.length > left) {
      if (!cuts) {
        throw new ToolFailure(
          'TOO_LARGE',
          `The answer has more than ${maxBytes} bytes, and was not read. Ask for a part of it.`,
        )
      }
      truncated = true
    }
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (truncated) break
  }
  return { ...asText(Buffer.concat(chunks), type, truncated), truncated }
}

const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql|sql)\b|image\/svg\+xml\b)/i

function asText(bytes: Buffer, type: string, truncated: boolean): Pick<ReadBody, 'body' | 'encoding'> {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? []
  // Without a type, what is UTF-8 is text.
  const isText = TEXT_TYPE.test(type)
  if (isText || type === '') {
    try {
      const decoder = new TextDecoder(charset, { fatal: !isText })
      return { body: decoder.decode(bytes, { stream: truncated }), encoding: 'text' }
    } catch {
      // An unknown charset, or bytes that are not text.
    }
  }
  return { body: bytes.toString('base64'), encoding: 'base64' }
}
