import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server in this process that answers as S3 does. */
export interface S3Server {
  /** The URL of the server, which has one bucket, `bucket`. */
  readonly endpoint: string
  /** How many requests it has had for objects whose keys begin so. Clients may repeat those of a test that is over. */
  readonly requests: (prefix: string) => number
  /** Its objects, by their keys. */
  readonly objects: Map<string, S3ServerObject>
  /** Carries out the next write, and closes its connection without an answer. */
  loseNextAnswer(): void
  /** Refuses connections, with all objects kept. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** An object of a bucket. */
export interface S3ServerObject {
  readonly bytes: Buffer
  readonly etag: string
  /** In milliseconds. */
  modified: number
}

/** What a server does otherwise than S3. */
export interface S3ServerOptions {
  /** Writes happen whatever their condition says, as in some servers that are called compatible. */
  readonly ignoresConditions?: boolean | undefined
  /** Objects in one answer. Default 1,000, as in S3. */
  readonly pageSize?: number | undefined
}

/** The options of a client of such a server. */
export function s3Options(endpoint: string) {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'secret' }
  return { endpoint, region: 'us-east-1', forcePathStyle: true, credentials }
}

/** S3 refuses requests that were signed longer ago. */
const MAX_SKEW_MS = 15 * 60 * 1000

/**
 * Starts a server for what a store of skills asks of S3: `PUT` and `GET` with `If-Match` and `If-None-Match`, and
 * `ListObjectsV2` in pages. It compares the digest and the date of what is signed, and not the signature itself. It is
 * ours: no server for tests that npm has keeps conditions (s3rver 3.7.1 answers 200 to all of them).
 */
export async function startS3(options: S3ServerOptions = {}): Promise<S3Server> {
  const objects = new Map<string, S3ServerObject>()
  const paths: string[] = []
  let losesAnswer = false
  let server: Server | undefined
  let port = 0
  const started: S3Server = {
    get endpoint() {
      return `http://127.0.0.1:${port}`
    },
    requests: (prefix) => paths.filter((path) => path.startsWith(`/bucket/${prefix}`)).length,
    objects,
    loseNextAnswer() {
      losesAnswer = true
    },
    async start() {
      server = createServer((request, response) => {
        paths.push(request.url ?? '')
        if (request.method === 'PUT' && losesAnswer) {
          losesAnswer = false
          response.writeHead = (): never => request.socket.destroy() as never
        }
        void answer(objects, options, request, response)
      })
      await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
    },
    async stop() {
      const running = server
      server = undefined
      running?.closeAllConnections()
      await new Promise<void>((resolve) => (running === undefined ? resolve() : running.close(() => resolve())))
    },
    close: () => started.stop(),
  }
  await started.start()
  return started
}

async function answer(
  objects: Map<string, S3ServerObject>,
  options: S3ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const url = new URL(request.url ?? '/', 'http://server')
  const [, bucket, ...parts] = url.pathname.split('/')
  const key = decodeURIComponent(parts.join('/'))
  const refusal = bucket === 'bucket' ? refusalOf(request, body) : ([404, 'NoSuchBucket'] as const)
  if (refusal !== undefined) return fail(response, ...refusal)
  if (key === '') return list(objects, options, url.searchParams, response)
  const stored = objects.get(key)
  if (request.method !== 'GET' && options.ignoresConditions !== true) {
    const { 'if-match': match, 'if-none-match': none } = request.headers
    if (none === '*' && stored !== undefined) return fail(response, 412, 'PreconditionFailed')
    if (match !== undefined && stored === undefined) return fail(response, 404, 'NoSuchKey')
    if (match !== undefined && stored?.etag !== match) return fail(response, 412, 'PreconditionFailed')
  }
  if (request.method === 'PUT') {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`
    objects.set(key, { bytes: body, etag, modified: Date.now() })
    response.writeHead(200, { etag }).end()
  } else if (stored === undefined) fail(response, 404, 'NoSuchKey')
  else if (request.headers['if-none-match'] === stored.etag) response.writeHead(304, { etag: stored.etag }).end()
  else response.writeHead(200, { etag: stored.etag }).end(stored.bytes)
}

function refusalOf({ headers }: IncomingMessage, body: Buffer): readonly [number, string] | undefined {
  if (!/^AWS4-HMAC-SHA256 Credential=test\/.*Signature=[0-9a-f]{64}$/.test(headers.authorization ?? '')) {
    return [403, 'InvalidAccessKeyId']
  }
  const signed = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3:$4:$5Z')
  if (!(Math.abs(Date.now() - Date.parse(signed)) < MAX_SKEW_MS)) return [403, 'RequestTimeTooSkewed']
  const digest = createHash('sha256').update(body).digest('hex')
  return headers['x-amz-content-sha256'] === digest ? undefined : [400, 'XAmzContentSHA256Mismatch']
}

function list(
  objects: Map<string, S3ServerObject>,
  { pageSize = 1_000 }: S3ServerOptions,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '') && key > after).toSorted()
  const page = keys.slice(0, pageSize)
  const contents = page.map((key) => {
    const { bytes, etag, modified } = objects.get(key)!
    const time = new Date(modified).toISOString()
    return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size></Contents>`
  })
  const isTruncated = page.length < keys.length
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(
      `<?xml version="1.0"?><ListBucketResult><Prefix>${query.get('prefix') ?? ''}</Prefix><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    )
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}
