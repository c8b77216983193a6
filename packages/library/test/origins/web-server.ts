import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** A server on loopback with a certificate that nobody else trusts. */
export interface WebServer {
  readonly url: string
  readonly host: string
  /** Its certificate. */
  readonly ca: string
  /** What it was asked, in order: method, path, and the credentials that came along. */
  readonly asked: { readonly path: string; readonly authorization: string | undefined }[]
  readonly close: () => Promise<void>
}

/** Makes a certificate for loopback addresses. */
export function makeCertificate(): { readonly key: string; readonly cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-certificate-'))
  try {
    const options = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(
      ' ',
    )
    const names = [
      '-addext',
      'subjectAltName=IP:127.0.0.1,DNS:localhost,DNS:skills.test,DNS:git.test,DNS:npm.test',
      '-keyout',
      'key.pem',
      '-out',
      'cert.pem',
    ]
    execFileSync('openssl', ['req', ...options, ...names], { cwd: folder, stdio: 'pipe' })
    return { key: readFileSync(join(folder, 'key.pem'), 'utf8'), cert: readFileSync(join(folder, 'cert.pem'), 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts a server. */
export async function startWebServer(
  { key, cert }: { readonly key: string; readonly cert: string },
  answer: RequestListener,
): Promise<WebServer> {
  const asked: WebServer['asked'] = []
  const server = createServer({ key, cert }, (request, response) => {
    asked.push({ path: request.url!, authorization: request.headers.authorization })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `https://${host}`,
    host,
    ca: cert,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/**
 * Answers as a host of repositories, by git's own program for that.
 * @param isOld whether it speaks the first protocol alone, which gives nothing that is not shown
 */
export function serveGit(
  root: string,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  isOld = false,
): void {
  const [pathInfo = '', query = ''] = path.split('?')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: root,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: pathInfo,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      ...(!isOld && { GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') }),
    },
  })
  request.pipe(child.stdin)
  child.stdin.on('error', () => {})
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const output = Buffer.concat(chunks)
    const end = output.indexOf('\r\n\r\n')
    for (const line of output.subarray(0, end).toString().split('\r\n')) {
      const [name = '', value = ''] = line.split(': ')
      if (name === 'Status') response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.end(output.subarray(end + 4))
  })
}
