import {
  callable,
  checkOptions,
  listOf,
  number,
  oneOf,
  type OptionTable,
  text,
  withDefault,
} from '@repertoire/core/options'
import type { FunctionTool } from '@repertoire/core'
import { Agent } from 'undici'
import { z } from 'zod'
import { startDeadline } from '../deadline.ts'
import { defineTool } from '../define-tool.ts'
import { ToolFailure } from '../result.ts'
import { createAddressCheck } from './address.ts'
import { type ResolveName, guardedConnector } from './connector.ts'
import { follow } from './follow.ts'
import { readHeaders } from './request-headers.ts'
import { createHostCheck, readUrl } from './url.ts'

/** Options of `httpRequestTool`. */
export interface HttpRequestToolOptions {
  /**
   * The hosts that may be asked, redirects included: `api.example.com`, `*.example.com` for all below it, each with or
   * without a port. Default: every public one.
   */
  readonly allow?: readonly string[] | undefined
  /** Addresses that are not public and may be asked all the same: `127.0.0.1`, `10.1.0.0/16`. Default none. */
  readonly allowPrivate?: readonly string[] | undefined
  /** The methods that may be used. Default GET, POST, PUT and DELETE. */
  readonly methods?: readonly HttpMethod[] | undefined
  /** The largest answer in bytes, decompressed. Default 1,000,000. */
  readonly maxBytes?: number | undefined
  /** For everything together, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined
  /** Finds the addresses of names. Default: the system's resolver. */
  readonly resolve?: ResolveName | undefined
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export const HTTP_REQUEST_OPTIONS: OptionTable<HttpRequestToolOptions> = {
  allow: listOf(text, 'a list of hosts'),
  allowPrivate: listOf(text, 'a list of addresses'),
  methods: listOf(oneOf(...METHODS), 'a list of methods'),
  maxBytes: withDefault(1_000_000, number('bytes', { from: 1, isWhole: true })),
  timeout: withDefault(30_000, number('milliseconds', { from: 1, to: 2 ** 31 - 1, isWhole: true })),
  resolve: callable,
}

/** The methods that requests can have. */
export type HttpMethod = (typeof METHODS)[number]

/** What `http_request` returns, whatever the status is. */
export interface HttpResponse {
  readonly status: number
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** `text`: as its charset says; `base64`: bytes that are not text. */
  readonly encoding: 'text' | 'base64'
  /** How many redirects were followed. */
  readonly redirects: number
}

/**
 * The tool `http_request`: asks public addresses, and no others. What a name leads to is checked at the connection, of
 * redirects every hop.
 * @throws {TypeError} an option does not have the shape named here
 */
export function httpRequestTool(options: HttpRequestToolOptions = {}): FunctionTool {
  checkOptions('httpRequestTool', HTTP_REQUEST_OPTIONS, options)
  const {
    methods = ['GET', 'POST', 'PUT', 'DELETE'],
    allow,
    maxBytes = 1_000_000,
    timeout: timeoutMs = 30_000,
  } = options
  if (methods.length === 0) {
    throw new TypeError(`httpRequestTool: \`methods\` is a list of ${METHODS.join(', ')}.`)
  }
  const checkHost = createHostCheck(allow)
  const connect = guardedConnector(createAddressCheck(options.allowPrivate ?? []), {
    timeoutMs,
    resolve: options.resolve,
  })

  return defineTool({
    name: 'http_request',
    description:
      'Sends an HTTP request to a public address and returns status, headers and body. Addresses of this machine and of private networks are refused.',
    risk: 'risky',
    input: z.strictObject({
      url: z.string().max(8192).describe('The address, with https:// or http://.'),
      method: z.enum(methods as [HttpMethod, ...HttpMethod[]]).default(methods[0]!),
      headers: z.record(z.string(), z.string()).optional(),
      query: z
        .record(z.string(), z.union([scalar, z.array(scalar)]))
        .optional()
        .describe('Added to the query of the URL.'),
      body: z.string().optional().describe('Sent as it is; name its type in the header content-type.'),
    }),
    async run({ url, method, headers = {}, query = {}, body }, signal): Promise<HttpResponse> {
      const first = { method, url: readUrl(url, query), headers: readHeaders(headers), body }
      if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
        throw new ToolFailure('INPUT_INVALID', `A ${method} has no body. Use the query, or another method.`)
      }
      const deadline = startDeadline(timeoutMs, signal)
      const dispatcher = new Agent({ connect })
      try {
        const answer = await follow(first, checkHost, { dispatcher, signal: deadline.signal })
        const read = await readBody(answer.body, answer.headers['content-type'] ?? '', maxBytes)
        return { ...answer, url: answer.url.href, ...read }
      } catch (error) {
        if (!deadline.isOver()) throw error
        throw new ToolFailure('TIMED_OUT', `There was no whole answer within ${timeoutMs} ms.`, { cause: error })
      } finally {
        deadline.stop()
        await dispatcher.destroy()
      }
    },
  })
}

const scalar = z.union([z.string(), z.number(), z.boolean()])

/**
 * Reads a body up to a number of bytes, counted as they are when they are decompressed: a few kilobytes of gzip can be
 * many megabytes.
 * @throws {ToolFailure} TOO_LARGE
 */
async function readBody(
  stream: AsyncIterable<Uint8Array>,
  type: string,
  maxBytes: number,
): Promise<Pick<HttpResponse, 'body' | 'encoding'>> {
  // One buffer: a body that comes byte by byte would keep a hundred times its size in small pieces.
  const body = new ArrayBuffer(0, { maxByteLength: maxBytes })
  for await (const chunk of stream) {
    const length = body.byteLength
    if (chunk.length > maxBytes - length) {
      throw new ToolFailure(
        'TOO_LARGE',
        `The answer has more than ${maxBytes} bytes, and was not read. Ask for a part of it.`,
      )
    }
    body.resize(length + chunk.length)
    new Uint8Array(body).set(chunk, length)
  }
  return asText(Buffer.from(new Uint8Array(body)), type)
}

const TEXT_TYPE =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|graphql|sql)\b|image\/svg\+xml\b)/i

function asText(bytes: Buffer, type: string): Pick<HttpResponse, 'body' | 'encoding'> {
  const [, charset = 'utf-8'] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? []
  // Without a type, what is UTF-8 is text.
  const isText = TEXT_TYPE.test(type)
  if (isText || type === '') {
    try {
      return { body: new TextDecoder(charset, { fatal: !isText }).decode(bytes), encoding: 'text' }
    } catch {
      // An unknown charset, or bytes that are not text.
    }
  }
  return { body: bytes.toString('base64'), encoding: 'base64' }
}
