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
  // Copied: a body that comes byte by byte would keep a hundred times its size in small pieces.
  let kept = Buffer.alloc(0)
  let length = 0
  let truncated = false
  for await (const chunk of stream ?? []) {
    if (chunk.length > maxBytes - length) {
      if (!cuts) {
        throw new ToolFailure(
          'TOO_LARGE',
          `The answer has more than ${maxBytes} bytes, and was not read. Ask for a part of it.`,
        )
      }
      truncated = true
    }
    const part = chunk.subarray(0, maxBytes - length)
    if (length + part.length > kept.length) kept = enlarged(kept, Math.min(maxBytes, (length + part.length) * 2))
    kept.set(part, length)
    length += part.length
    if (truncated) break
  }
  return { ...asText(kept.subarray(0, length), type, truncated), truncated }
}

function enlarged(bytes: Buffer, size: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(size)
  larger.set(bytes)
  return larger
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
