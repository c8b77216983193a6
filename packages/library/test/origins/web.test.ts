import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { resolveOrigin } from '@repertoire/library'
import type { OriginOptions } from '@repertoire/library'
import { tgzOf } from './archive-bytes.ts'
import { skillText } from './skill-text.ts'
import { makeCertificate, startWebServer } from './web-server.ts'
import type { WebServer } from './web-server.ts'

let server: WebServer
let other: WebServer
let options: OriginOptions
const archive = tgzOf([{ path: 'pdf/SKILL.md', body: skillText('pdf') }])

beforeAll(async () => {
  const certificate = makeCertificate()
  other = await startWebServer(certificate, (_request, response) => void response.end(archive))
  server = await startWebServer(certificate, ({ url }, response) => {
    const to = (location: string): void => void response.writeHead(302, { location }).end()
    if (url === '/pdf.tar.gz') return void response.end(archive)
    if (url === '/pdf/SKILL.md') return void response.end(skillText('pdf'))
    if (url === '/bad/SKILL.md') return void response.end('---\nname: x\n---\n')
    if (url === '/here.zip') return to('/pdf.tar.gz')
    if (url === '/there.zip') return to(`${other.url}/x`)
    if (url === '/loop.zip') return to('/loop.zip')
    if (url === '/metadata.zip') return to('https://169.254.169.254/latest')
    if (url === '/plain.zip') return to('http://example.com/x')
    if (url === '/user.zip') return to(`https://me:secret@${server.host}/pdf.tar.gz`)
    if (url === '/file.zip') return to('file:///etc/passwd')
    if (url === '/packed.zip') return void response.setHeader('content-encoding', 'gzip').end(gzipSync(archive))
    if (url === '/never.zip') return void response.write('x')
    if (url === '/endless.zip') {
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(65_536), more))
      return more()
    }
    return void response.writeHead(404).end()
  })
  options = { ca: server.ca, allowPrivate: ['127.0.0.1'], tokens: { [server.host]: 'secret-token' } }
})

beforeEach(() => {
  server.asked.splice(0)
  other.asked.splice(0)
})

afterAll(() => Promise.all([server.close(), other.close()]))

describe('an address as an origin', () => {
  it('[LIB-5] gives the archive that is there, and says the digest of its bytes', async () => {
    const counts: unknown[] = []
    const origin = await resolveOrigin(`${server.url}/pdf.tar.gz`, {
      ...options,
      onProgress: (step) => counts.push(step),
    })
    expect(origin.resolved).toMatchObject({ sourceType: 'archive', source: `${server.url}/pdf.tar.gz` })
    expect(counts).toEqual([{ kind: 'received', count: archive.length, total: archive.length }])
    const { revision } = origin.resolved
    expect((await origin.fetch()).skills.map(({ name }) => name)).toEqual(['pdf'])
    await resolveOrigin(`${server.url}/pdf.tar.gz`, { ...options, revision: revision! })
    const moved = resolveOrigin(`${server.url}/pdf.tar.gz`, { ...options, revision: `sha256:${'0'.repeat(64)}` })
    await expect(moved).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
  })

  it('[LIB-5] takes a single SKILL.md for a whole skill', async () => {
    const origin = await resolveOrigin(`${server.url}/pdf/SKILL.md`, options)
    const { skills } = await origin.fetch()
    expect(skills.map(({ name, path, files }) => [name, path, [...files.keys()]])).toEqual([
      ['pdf', 'SKILL.md', ['SKILL.md']],
    ])
    const small = resolveOrigin(`${server.url}/pdf/SKILL.md`, { ...options, maxBytes: 10 })
    await expect(small).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    const enough = new AbortController()
    const stopped = await resolveOrigin(`${server.url}/pdf/SKILL.md`, { ...options, signal: enough.signal })
    enough.abort(new Error('enough'))
    await expect(stopped.fetch()).rejects.toThrow('enough')
    const bad = await resolveOrigin(`${server.url}/bad/SKILL.md`, options)
    await expect(bad.fetch()).rejects.toMatchObject({ code: 'MANIFEST_INVALID' })
  })

  it('[ABUSE-69] judges every redirect, and takes a token to no other host', async () => {
    await resolveOrigin(`${server.url}/here.zip`, options)
    expect(server.asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer secret-token',
      'Bearer secret-token',
    ])
    await resolveOrigin(`${server.url}/there.zip`, options)
    expect(other.asked).toEqual([{ path: '/x', authorization: undefined }])
    for (const name of ['loop', 'metadata', 'plain', 'user', 'file']) {
      const error: unknown = await resolveOrigin(`${server.url}/${name}.zip`, options).catch(
        (thrown: unknown) => thrown,
      )
      expect(error).toMatchObject({ code: 'ORIGIN_REFUSED' })
      expect(String(error)).not.toContain('secret')
    }
  })

  it('[ABUSE-69] asks no address that is not public, however it is written', async () => {
    const none = { ca: server.ca, tokens: {} }
    const port = server.host.split(':')[1]
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:7f00:1]', '0']) {
      const asked = resolveOrigin(`https://${host}:${port}/pdf.tar.gz`, none)
      await expect(asked).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    }
    expect(server.asked).toEqual([])
  })

  it('[LIB-5] speaks plain http to loopback addresses that are named, and to nobody else', async () => {
    const plain = createServer((_request, response) => void response.end(archive))
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void plain.close())
    const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/pdf.tgz`
    expect((await (await resolveOrigin(url, options)).fetch()).skills).toHaveLength(1)
    for (const each of [resolveOrigin(url), resolveOrigin('http://example.com/pdf.tgz', options)]) {
      await expect(each).rejects.toMatchObject({ code: 'ORIGIN_REFUSED' })
    }
  })

  it('[LIB-5] refuses what is too large, is packed for the way, or is not there', async () => {
    const refused = { code: 'ORIGIN_REFUSED' }
    await expect(resolveOrigin(`${server.url}/endless.zip`, { ...options, maxBytes: 1_000_000 })).rejects.toMatchObject(
      refused,
    )
    await expect(resolveOrigin(`${server.url}/packed.zip`, options)).rejects.toMatchObject(refused)
    await expect(resolveOrigin(`${server.url}/none.zip`, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
    await expect(resolveOrigin('https://127.0.0.1:1/x.zip', options)).rejects.toMatchObject({
      code: 'ORIGIN_UNREACHABLE',
    })
    const { ca: _unused, ...untrusted } = options
    await expect(resolveOrigin(`${server.url}/pdf.tgz`, untrusted)).rejects.toMatchObject({
      code: 'ORIGIN_UNREACHABLE',
    })
    await expect(resolveOrigin(server.url, options)).rejects.toMatchObject({ code: 'ORIGIN_UNREACHABLE' })
  })

  it('[LIB-5] waits as long as is allowed', async () => {
    const never = `${server.url}/never.zip`
    await expect(resolveOrigin(never, { ...options, timeout: 200 })).rejects.toMatchObject({ code: 'TIMED_OUT' })
    const reason = new Error('enough')
    const controller = new AbortController()
    const onProgress = (): void => controller.abort(reason)
    await expect(resolveOrigin(never, { ...options, signal: controller.signal, onProgress })).rejects.toBe(reason)
  })
})
