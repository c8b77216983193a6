import { describe, expect, it } from 'vitest'
import { type HttpResponse, httpRequestTool } from '../../src/index.ts'
import { codeOf, resultOf } from '../run.ts'
import { serve, useServers } from './server.ts'

useServers()

const tool = httpRequestTool({ allowPrivate: ['127.0.0.1'] })

/** A server that redirects every path but `/end`. */
const redirecting = (target: (path: string) => string, status = 302) =>
  serve(({ url }, response) => {
    if (url === '/end') response.end('the end')
    else response.writeHead(status, { location: target(url!) }).end('moved')
  })

describe('redirects', () => {
  it('[TOOL-1] are followed, and counted', async () => {
    const { origin, seen } = await redirecting((path) => (path === '/a' ? '/b' : 'end'))
    const response = await resultOf<HttpResponse>(tool, { url: `${origin}/a`, headers: { Authorization: 'x' } })
    expect(response).toMatchObject({ status: 200, url: `${origin}/end`, body: 'the end', redirects: 2 })
    expect(seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/a', 'x'],
      ['/b', 'x'],
      ['/end', 'x'],
    ])
  })

  it.each(['http://169.254.169.254/latest/meta-data', 'http://[::ffff:7f00:2]/', '//10.0.0.1/', 'http://0/'])(
    '[TOOL-1, ABUSE-80] are checked like the first address: %s',
    async (target) => {
      const { origin, seen } = await redirecting(() => target)
      expect(await codeOf(tool, { url: origin })).toBe('ADDRESS_REFUSED')
      expect(seen).toHaveLength(1)
    },
  )

  it.each(['file:///etc/passwd', 'data:text/plain,x', 'http://user:password@127.0.0.1/'])(
    '[TOOL-1, ABUSE-80] lead to addresses of the web alone: %s',
    async (target) => {
      const { origin } = await redirecting(() => target)
      expect(await codeOf(tool, { url: origin })).toBe('INPUT_INVALID')
    },
  )

  it('[TOOL-1, ABUSE-80] end after five', async () => {
    const { origin, seen } = await redirecting(() => '/again')
    expect(await codeOf(tool, { url: origin })).toBe('REDIRECT_REFUSED')
    expect(seen).toHaveLength(6)
  })

  it('[TOOL-1, ABUSE-81] leave everything that may be secret behind where the origin changes', async () => {
    const other = await serve((_, response) => response.end('other'))
    const { origin } = await redirecting(() => other.origin)
    await resultOf(tool, {
      url: origin,
      headers: { Authorization: 'a', Cookie: 'b', 'X-Api-Key': 'c', Accept: 'text/plain', 'User-Agent': 'agent' },
    })
    const { headers } = other.seen[0]!
    expect([headers.authorization, headers.cookie, headers['x-api-key']]).toEqual([undefined, undefined, undefined])
    expect([headers.accept, headers['user-agent']]).toEqual(['text/plain', 'agent'])
  })

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'body'],
    [308, 'POST', 'body'],
  ])('[TOOL-1] with %s make of a POST a %s', async (status, method, body) => {
    const { origin, seen } = await redirecting(() => '/end', status)
    await resultOf(tool, { url: origin, method: 'POST', body: 'body', headers: { 'Content-Type': 'text/plain' } })
    expect(seen[1]).toMatchObject({ method, body })
    expect(seen[1]?.headers['content-type']).toBe(method === 'GET' ? undefined : 'text/plain')
  })

  it.each([
    ['POST', 307],
    ['PUT', 302],
    ['DELETE', 308],
  ])('[TOOL-1, ABUSE-81] send no %s to another origin', async (method, status) => {
    const other = await serve((_, response) => response.end('other'))
    const { origin } = await redirecting(() => other.origin, status)
    expect(await codeOf(tool, { url: origin, method, body: 'secret' })).toBe('REDIRECT_REFUSED')
    expect(other.seen).toEqual([])
  })

  it('[TOOL-1] stay with the hosts that are allowed', async () => {
    const other = await serve((_, response) => response.end('other'))
    const { origin, port } = await redirecting(() => other.origin)
    const strict = httpRequestTool({ allowPrivate: ['127.0.0.1'], allow: [`127.0.0.1:${port}`] })
    expect(await codeOf(strict, { url: origin })).toBe('NOT_ALLOWED')
    expect(other.seen).toEqual([])
  })
})
