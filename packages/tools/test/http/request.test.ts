import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type HttpResponse, httpRequestTool } from '../../src/index.ts'
import { codeOf, errorOf, resultOf, run } from '../run.ts'
import { serve, useServers } from './server.ts'

useServers()

const LOOPBACK = { allowPrivate: ['127.0.0.1'] }
const tool = httpRequestTool(LOOPBACK)

describe('a request', () => {
  it.each(['GET', 'POST', 'PUT', 'DELETE'])('[TOOL-1] is a %s with headers, query and body', async (method) => {
    const server = await serve((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'x-kind': 'answer' }).end('{"ok":true}')
    })
    const body = method === 'GET' ? undefined : '{"n":1}'
    const input = {
      url: `${server.origin}/path?a=1`,
      method,
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer key' },
      query: { b: 'two words', c: [3, 4], d: true },
      body,
    }
    const response = await resultOf<HttpResponse>(tool, input)
    expect(response).toMatchObject({
      status: 201,
      url: `${server.origin}/path?a=1&b=two+words&c=3&c=4&d=true`,
      headers: { 'content-type': 'application/json', 'x-kind': 'answer' },
      body: '{"ok":true}',
      encoding: 'text',
      redirects: 0,
    })
    const [seen] = server.seen
    expect(seen).toMatchObject({ method, url: '/path?a=1&b=two+words&c=3&c=4&d=true', body: body ?? '' })
    expect(seen?.headers).toMatchObject({ authorization: 'Bearer key', 'content-type': 'application/json' })
  })

  it('[TOOL-1] returns an error of the server as the answer that it is', async () => {
    const { origin } = await serve((_, response) => response.writeHead(404).end('gone'))
    expect(await run(tool, { url: origin })).toMatchObject({
      success: true,
      result: { status: 404, body: 'gone' },
      durationMs: expect.any(Number),
    })
  })

  it('[TOOL-1] returns every header of one name, cookies too', async () => {
    const { origin } = await serve((_, response) => {
      response.setHeader('set-cookie', ['a=1; Path=/', 'b=2']).setHeader('x-kind', ['c', 'd']).end()
    })
    const { headers } = await resultOf<HttpResponse>(tool, { url: origin })
    expect(headers).toMatchObject({ 'set-cookie': 'a=1; Path=/, b=2', 'x-kind': 'c, d' })
  })

  it('[TOOL-1] returns bytes as base64, and text in its charset', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0xe9])
    const { origin } = await serve(({ url }, response) => {
      response.writeHead(200, { 'content-type': decodeURIComponent(url!.slice(1)) }).end(bytes)
    })
    const read = async (type: string): Promise<unknown> => {
      const { body, encoding } = await resultOf<HttpResponse>(tool, { url: `${origin}/${encodeURIComponent(type)}` })
      return [encoding, body]
    }
    expect(await read('image/png')).toEqual(['base64', bytes.toString('base64')])
    expect(await read('text/plain; charset=iso-8859-1')).toEqual(['text', 'ÿ\0é'])
    expect(await read('text/plain; charset=nonsense')).toEqual(['base64', bytes.toString('base64')])
  })

  it('[TOOL-1, ABUSE-83] refuses what is not an address of the web, user names, line breaks and headers of the connection', async () => {
    const { origin, seen } = await serve((_, response) => response.end())
    const inputs = [
      { url: 'data:text/plain,hello' },
      { url: 'file:///etc/passwd' },
      { url: 'nonsense' },
      { url: origin.replace('http://', 'http://user:password@') },
      { url: `${origin}/a\r\nX: y` },
      { url: `${origin}\\x` },
      { url: ` ${origin}` },
      { url: origin, headers: { 'X-A': 'a\r\nHost: b' } },
      { url: origin, headers: { 'X A': 'a' } },
      { url: origin, headers: { Host: 'internal' } },
      { url: origin, headers: { 'Content-Length': '5' } },
      { url: origin, headers: { 'Proxy-Authorization': 'x' } },
      { url: origin, method: 'TRACE' },
      { url: origin, method: 'GET', body: 'x' },
      { url: origin, other: true },
      {},
      'text',
    ]
    for (const input of inputs) expect([input, await codeOf(tool, input)]).toEqual([input, 'INPUT_INVALID'])
    expect(seen).toEqual([])
  })

  it('[TOOL-1, ABUSE-83] asks no proxy that the environment names', async () => {
    const proxy = await serve((_, response) => response.end('from the proxy'))
    const { origin } = await serve((_, response) => response.end('direct'))
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
    const before = names.map((name) => process.env[name])
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.origin
    try {
      expect(await resultOf(httpRequestTool(LOOPBACK), { url: origin })).toMatchObject({ body: 'direct' })
    } finally {
      names.forEach((name, index) => {
        if (before[index] === undefined) delete process.env[name]
        else process.env[name] = before[index]
      })
    }
    expect(proxy.seen).toEqual([])
  })

  it('[TOOL-1, ABUSE-82] counts decompressed bytes, and refuses what is more', async () => {
    const plain = Buffer.alloc(50_000_000, 'a')
    const bodies = new Map([
      ['gzip', gzipSync(plain)],
      ['br', brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ])
    const { origin } = await serve(({ url }, response) => {
      const encoding = url!.slice(1)
      response.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/plain' }).end(bodies.get(encoding))
    })
    for (const encoding of bodies.keys()) {
      expect(await codeOf(tool, { url: `${origin}/${encoding}` })).toBe('TOO_LARGE')
      const larger = httpRequestTool({ ...LOOPBACK, maxBytes: plain.length })
      const { body } = await resultOf<HttpResponse>(larger, { url: `${origin}/${encoding}` })
      expect(body).toHaveLength(plain.length)
    }
  })

  it('[TOOL-1, ABUSE-82] has one deadline for everything: silence, and a body that never ends', async () => {
    const { origin } = await serve(({ url }, response) => {
      if (url === '/silent') return
      response.writeHead(200).write('beginning')
    })
    const hurried = httpRequestTool({ ...LOOPBACK, timeout: 150 })
    expect(await codeOf(hurried, { url: `${origin}/silent` })).toBe('TIMED_OUT')
    expect(await codeOf(hurried, { url: `${origin}/slow` })).toBe('TIMED_OUT')
    const unresolved = httpRequestTool({ resolve: () => {}, timeout: 50 })
    expect(await codeOf(unresolved, { url: 'http://never.example/' })).toBe('TIMED_OUT')
  })

  it.each([
    ['gzip', (bytes: Buffer) => gzipSync(bytes).subarray(0, -20)],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes).subarray(0, -3)],
    ['gzip', () => Buffer.from('no gzip')],
    ['zstd', (bytes: Buffer) => bytes],
  ])('[TOOL-1] fails where a compressed answer is cut off, or is none: %s', async (encoding, change) => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding })
      response.end(change(Buffer.from([...Array.from({ length: 5_000 }).keys()].join())))
    })
    expect(await codeOf(tool, { url: origin })).toBe('FAILED')
  })

  it('[TOOL-1] ends with the signal, and throws its reason', async () => {
    const abort = new AbortController()
    const { origin } = await serve(() => abort.abort(new Error('not wanted any more')))
    await expect(run(tool, { url: origin }, abort.signal)).rejects.toThrow('not wanted any more')
    await expect(run(tool, { url: origin }, abort.signal)).rejects.toThrow('not wanted any more')
  })

  it('[TOOL-1] says what failed where nobody answers', async () => {
    expect(await errorOf(tool, { url: 'http://127.0.0.1:9' })).toMatchObject({ code: 'FAILED' })
    const unknown = httpRequestTool({ resolve: (name, callback) => callback(new Error(`no such name: ${name}`), []) })
    expect(await errorOf(unknown, { url: 'http://nowhere.example' })).toEqual({
      code: 'FAILED',
      message: expect.stringContaining('no such name: nowhere.example'),
    })
  })

  it('[TOOL-1] refuses options of another shape when it is made', () => {
    const wrong = [
      [{ methods: [] }, '`methods` is a list of GET, HEAD'],
      [{ methods: ['TRACE'] }, '`methods[0]` is "TRACE"'],
      [{ maxBytes: 0 }, '`maxBytes` is 0'],
      [{ timeout: 1.5 }, '`timeout` is 1.5'],
      [{ allowPrivate: ['127.1'] }, '`allowPrivate` takes addresses and ranges'],
      [{ allowPrivate: ['localhost'] }, '`allowPrivate` takes addresses and ranges'],
      [{ allow: ['https://example.com'] }, 'not "https://example.com"'],
      [{ allow: ['*'] }, 'not "*"'],
    ] as const
    for (const [options, message] of wrong) expect(() => httpRequestTool(options as object)).toThrow(message)
  })
})
