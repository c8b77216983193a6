import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveOrigin } from '@repertoire/library'
import type { OriginOptions } from '@repertoire/library'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkProxied, proxyFor } from '../../src/origins/web/proxy.ts'
import { tgzOf } from './archive-bytes.ts'
import { commit, makeRepository } from './git-repository.ts'
import { skillText } from './skill-text.ts'
import { makeCertificate, serveGit, startWebServer } from './web-server.ts'
import type { WebServer } from './web-server.ts'

const archive = tgzOf([{ path: 'package/skills/pdf/SKILL.md', body: skillText('pdf') }])
const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`

const CREDENTIALS = `Basic ${Buffer.from('me:pass word').toString('base64')}`

let repositories: string
let server: WebServer
let proxy: Server
let options: OriginOptions
let address: string
/** What the proxy was asked for, with the right credentials. */
const tunnels: (string | undefined)[] = []
const sockets = new Set<Duplex>()

/** A real proxy, to which every name is the one server of the tests. */
beforeAll(async () => {
  repositories = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-proxy-')))
  const team = makeRepository(join(repositories, 'team.git'))
  commit(team, { 'skills/pdf/SKILL.md': skillText('pdf') })
  server = await startWebServer(makeCertificate(), (request, response) => {
    const { url = '', headers } = request
    if (headers.host === 'git.test') return serveGit(repositories, url, request, response)
    if (url === '/pdf') {
      const dist = { tarball: 'https://npm.test/pdf.tgz', integrity }
      const versions = { '1.0.0': { name: 'pdf', version: '1.0.0', dist } }
      return void response.end(JSON.stringify({ name: 'pdf', 'dist-tags': { latest: '1.0.0' }, versions }))
    }
    if (url === '/metadata.tgz') return void response.writeHead(302, { location: 'https://169.254.169.254/x' }).end()
    return void response.end(archive)
  })
  proxy = createServer()
  proxy.on('connect', ({ url, headers }, socket) => {
    sockets.add(socket)
    if (headers['proxy-authorization'] !== CREDENTIALS) {
      const wanted = 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="x"\r\n'
      socket.end(`${wanted}connection: close\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    tunnels.push(url)
    const target = connect(Number(server.host.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const end of [socket, target]) end.on('error', () => {})
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  address = `http://me:pass%20word@127.0.0.1:${port}`
  options = { ca: server.ca, tokens: { 'skills.test': 'secret-token' } }
})

beforeEach(() => {
  for (const name of ['HTTPS_PROXY', 'NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
  vi.stubEnv('https_proxy', address)
  tunnels.splice(0)
  server.asked.splice(0)
})

afterEach(() => void vi.unstubAllEnvs())

afterAll(async () => {
  rmSync(repositories, { recursive: true, force: true })
  for (const socket of sockets) socket.destroy()
  await Promise.all([new Promise<void>((resolve) => void proxy.close(() => resolve())), server.close()])
})

const namesIn = async (text: string, more: OriginOptions = {}) =>
  (await (await resolveOrigin(text, { ...options, ...more })).fetch()).skills.map(({ name }) => name)
const failure = (text: string, more: OriginOptions = {}) =>
  namesIn(text, more).then(
    () => 'nothing was refused',
    (error: unknown) => error,
  )

describe('a proxy', () => {
  it('[LIB-5] is asked for archives, repositories and packages, and sees neither what is sent nor a token', async () => {
    expect(await namesIn('https://skills.test/pdf.tgz')).toEqual(['pdf'])
    expect(server.asked).toEqual([{ path: '/pdf.tgz', authorization: 'Bearer secret-token' }])
    expect(await namesIn('https://git.test/team.git')).toEqual(['pdf'])
    expect(await namesIn('npm:pdf', { registry: 'https://npm.test/' })).toEqual(['pdf'])
    expect(new Set(tunnels)).toEqual(new Set(['skills.test:443', 'git.test:443', 'npm.test:443']))
  })

  it('[LIB-5] of the environment is used, unless NO_PROXY names the host', async () => {
    vi.stubEnv('https_proxy', '')
    vi.stubEnv('HTTPS_PROXY', address)
    vi.stubEnv('NO_PROXY', 'other.test')
    const found = await resolveOrigin('https://skills.test/pdf.tgz', options)
    expect(found.resolved).toMatchObject({ sourceType: 'archive' })
    expect(tunnels).toEqual(['skills.test:443'])
    // The name is known to the proxy alone.
    const direct = { code: 'ORIGIN_UNREACHABLE' }
    vi.stubEnv('NO_PROXY', '.test')
    for (const text of ['https://skills.test/pdf.tgz', 'https://git.test/team.git']) {
      await expect(resolveOrigin(text, options)).rejects.toMatchObject(direct)
    }
    expect(tunnels).toHaveLength(1)
  })

  it('[ABUSE-69] is asked for no address that is private by how it is written, and never for this machine', async () => {
    const refused = { code: 'ORIGIN_REFUSED' }
    for (const text of ['https://169.254.169.254/x.tgz', 'https://10.0.0.1/team.git', 'https://2130706433/x.tgz']) {
      expect(await failure(text)).toMatchObject(refused)
    }
    expect(await failure(`https://localhost:${server.host.split(':')[1]}/pdf.tgz`)).toMatchObject(refused)
    expect(tunnels).toEqual([])
    expect(await failure('https://skills.test/metadata.tgz')).toMatchObject(refused)
    expect(tunnels).toEqual(['skills.test:443'])
    expect(await namesIn(`${server.url}/pdf.tgz`, { allowPrivate: ['127.0.0.1'] })).toEqual(['pdf'])
    expect(tunnels).toHaveLength(1)
  })

  it('[ABUSE-69] is asked for no name that this machine knows to be private', async () => {
    const url = new URL('https://intranet.example/x')
    const isPermitted = (each: string): boolean => !each.startsWith('10.')
    const known = checkProxied('x', url, isPermitted, () => Promise.resolve(['203.0.113.1', '10.0.0.1']))
    await expect(known).rejects.toMatchObject({
      code: 'ORIGIN_REFUSED',
      message: expect.stringContaining('10.0.0.1') as string,
    })
    await checkProxied('x', url, isPermitted, () => Promise.resolve([]))
  })

  it('[LIB-5] that cannot be spoken to is an error without its password', async () => {
    const wrong = address.replace('pass%20word', 'hunter2')
    for (const each of ['socks5://me:hunter2@127.0.0.1:1', 'http://me:hunter2@127.0.0.1:1', '::', wrong]) {
      vi.stubEnv('https_proxy', each)
      for (const text of ['https://skills.test/pdf.tgz', 'https://git.test/team.git']) {
        const error = await failure(text)
        expect(error).toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
        expect(String(error)).not.toContain('hunter2')
      }
    }
  })

  it.each([
    ['a.example', 'https://a.example/', undefined],
    ['a.example', 'https://b.a.example/', undefined],
    ['.a.example', 'https://a.example/', undefined],
    ['*.a.example', 'https://b.a.example/', undefined],
    ['a.example', 'https://ba.example/', 'proxy.example'],
    ['x.example, A.example', 'https://a.example/', undefined],
    ['a.example:8443', 'https://a.example/', 'proxy.example'],
    ['a.example:443', 'https://a.example/', undefined],
    ['*', 'https://a.example/', undefined],
    ['2001:db8::1', 'https://[2001:db8::1]/', undefined],
    ['', 'https://a.example/', 'proxy.example'],
    ['', 'http://a.example/', undefined],
    ['', 'https://127.0.0.2/', undefined],
    ['', 'https://x.localhost/', undefined],
  ])('[LIB-5] with NO_PROXY=%j, %s is asked through %s', (list, url, host) => {
    for (const name of ['https_proxy', 'no_proxy', 'http_proxy', 'HTTP_PROXY']) vi.stubEnv(name, '')
    vi.stubEnv('HTTPS_PROXY', 'proxy.example:3128')
    vi.stubEnv('NO_PROXY', list)
    expect(proxyFor('x', new URL(url))?.hostname).toBe(host)
  })
})
