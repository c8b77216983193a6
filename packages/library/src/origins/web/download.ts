import type { Dispatcher } from 'undici'
import { refused, unreachable } from '../failure.ts'
import { MAX_ORIGIN_BYTES } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import { tokenFor } from '../tokens.ts'
import { openConnections } from './connections.ts'

/** How one address is asked. */
export interface DownloadOptions extends OriginOptions {
  readonly signal: AbortSignal
  /** The most bytes. Default 268,435,456. */
  readonly maxBytes?: number | undefined
}

/** What came from an address. */
export interface Download {
  readonly bytes: Uint8Array
  /** Where it came from, behind redirects. */
  readonly url: URL
}

const MAX_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Fetches one address into memory. Each redirect is judged as the first address is, and a token goes to the host that
 * it is for and to no other.
 * @param origin as messages name it
 * @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED
 */
export async function download(origin: string, first: URL, options: DownloadOptions): Promise<Download> {
  const found = await downloadIfThere(origin, first, options)
  if (found === undefined) throw unreachable(origin, 'there is nothing at that address. Check it.')
  return found
}

/**
 * As `download`; undefined where the answer is that there is nothing (404, 410).
 * @throws {SkillError} ORIGIN_UNREACHABLE, ORIGIN_REFUSED
 */
export async function downloadIfThere(
  origin: string,
  first: URL,
  options: DownloadOptions,
): Promise<Download | undefined> {
  const { signal, maxBytes = MAX_ORIGIN_BYTES, onProgress } = options
  const { request } = await import('undici')
  const connections = await openConnections(origin, options)
  try {
    let url = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const dispatcher = await connections.to(url)
      const answer = await request(url, { dispatcher, signal, headers: headersFor(url, options) })
      const location = REDIRECTS.has(answer.statusCode) ? answer.headers['location'] : undefined
      if (answer.statusCode === 404 || answer.statusCode === 410) return undefined
      if (location === undefined) {
        checkAnswer(origin, answer)
        return { bytes: await bodyOf(origin, answer, maxBytes, onProgress), url }
      }
      await answer.body.dump()
      const next = typeof location === 'string' ? URL.parse(location, url.href) : null
      if (next === null) throw refused(origin, 'it redirects to something that is not an address.')
      url = next
    }
    throw refused(origin, `it redirects more than ${MAX_REDIRECTS} times.`)
  } catch (error) {
    signal.throwIfAborted()
    throw explained(origin, error)
  } finally {
    await connections.close()
  }
}

/** A compressed response would need its own limits for unpacking. */
function headersFor(url: URL, options: DownloadOptions): Record<string, string> {
  const token = tokenFor(url, options)
  return {
    'user-agent': 'repertoire',
    'accept-encoding': 'identity',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
}

function checkAnswer(origin: string, { statusCode, headers }: Dispatcher.ResponseData): void {
  if (statusCode !== 200) {
    const hint = [401, 403].includes(statusCode)
      ? 'Check whether it wants a token'
      : 'Check the address, or try again later'
    throw unreachable(origin, `the answer is ${statusCode}. ${hint}.`)
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw refused(origin, 'the answer is packed by a method that was not asked for.')
  }
}

async function bodyOf(
  origin: string,
  { body, headers }: Dispatcher.ResponseData,
  maxBytes: number,
  onProgress: OriginOptions['onProgress'],
): Promise<Uint8Array> {
  const total = Number(headers['content-length'] ?? Number.NaN)
  const chunks: Buffer[] = []
  let count = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    count += chunk.length
    if (count > maxBytes)
      throw refused(origin, `it has more than ${maxBytes} bytes. Get it another way, and add a folder of it.`)
    chunks.push(chunk)
    onProgress?.({ kind: 'received', count, ...(Number.isSafeInteger(total) && { total }) })
  }
  return Buffer.concat(chunks)
}

/** Reports that the network refused the request. The server's own message is not repeated. */
function explained(origin: string, error: unknown): unknown {
  const codes: readonly unknown[] = [codeOf(error), codeOf((error as { cause?: unknown } | null)?.cause)]
  if (codes.some((code) => typeof code === 'string' && code.startsWith('ORIGIN_'))) return error
  if (codes.includes('ADDRESS_REFUSED')) {
    return refused(
      origin,
      'it leads to an address that is not public. If it is yours, allow it with --allow-private (in code: `allowPrivate`).',
    )
  }
  const code = codes.find((each): each is string => typeof each === 'string')
  return unreachable(
    origin,
    `it does not answer${code === undefined ? '' : ` (${code})`}. Check the address, and the proxy if there is one.`,
    error,
  )
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
