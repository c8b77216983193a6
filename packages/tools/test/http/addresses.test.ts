import { describe, expect, it } from 'vitest'
import { type HttpResponse, httpRequestTool } from '../../src/index.ts'
import type { ResolveName } from '../../src/index.ts'
import { createAddressCheck } from '../../src/http/address.ts'
import { guardedConnector } from '../../src/http/connector.ts'
import { codeOf, errorOf, resultOf } from '../run.ts'
import { serve, useServers } from './server.ts'

useServers()

/** A resolver that answers from a list, one entry for each question. */
function answers(...lists: readonly (readonly string[])[]): ResolveName & { readonly asked: string[] } {
  const asked: string[] = []
  const resolve: ResolveName = (name, callback) => {
    const addresses = lists[Math.min(asked.length, lists.length - 1)]!
    asked.push(name)
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return Object.assign(resolve, { asked })
}

const PRIVATE = [
  '127.0.0.1',
  '2130706433',
  '0x7f.1',
  '017700000001',
  '127.1',
  '0',
  '0.0.0.0',
  '①②⑦.0.0.1',
  '[::]',
  '[::1]',
  '[::ffff:7f00:1]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001::7f00:1]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[4000::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

describe('addresses that are not public', () => {
  it.each(PRIVATE)('[TOOL-1, ABUSE-78] are refused in whatever spelling: %s', async (host) => {
    const { port, seen } = await serve((_, response) => response.end('secret'))
    expect(await codeOf(httpRequestTool(), { url: `http://${host}:${port}/` })).toBe('ADDRESS_REFUSED')
    expect(seen).toEqual([])
  })

  it.each(PRIVATE.filter((each) => /^[\d.]+\.\d+$|^\[/.test(each) && each.split('.').length !== 2))(
    '[TOOL-1, ABUSE-79] are refused as what a name leads to, also beside a public one: %s',
    async (host) => {
      const address = host.replace(/^\[(.*)\]$/, '$1')
      for (const list of [[address], ['93.184.216.34', address], [address, '93.184.216.34']]) {
        const resolve = answers(list)
        expect(await codeOf(httpRequestTool({ resolve }), { url: 'http://rebind.example/' })).toBe('ADDRESS_REFUSED')
      }
    },
  )

  it('[TOOL-1] are not all addresses: public ones pass', () => {
    const isPermitted = createAddressCheck([])
    for (const address of ['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8']) {
      expect([address, isPermitted(address)]).toEqual([address, true])
    }
    for (const text of ['', 'localhost', '127.0.0.1, 8.8.8.8']) expect(isPermitted(text)).toBe(false)
  })

  it('[TOOL-1, ABUSE-78] are those of this machine too, in whatever range they are', () => {
    const own = (): readonly string[] => ['93.184.216.34', '2606:2800:220:1::1', 'fe80::1%eth0']
    const isPermitted = createAddressCheck([], own)
    for (const address of ['93.184.216.34', '::ffff:5db8:d822', '2606:2800:0220:0001:0::1']) {
      expect([address, isPermitted(address)]).toEqual([address, false])
    }
    expect(isPermitted('93.184.216.35')).toBe(true)
    expect(createAddressCheck(['93.184.216.34'], own)('93.184.216.34')).toBe(true)
  })

  it('[TOOL-1] are asked where the host names them, and no others are', async () => {
    const { origin, port } = await serve((_, response) => response.end('inside'))
    const tool = httpRequestTool({ allowPrivate: ['127.0.0.0/30', '::1'] })
    expect(await resultOf(tool, { url: origin })).toMatchObject({ body: 'inside' })
    expect(await codeOf(tool, { url: `http://127.0.0.4:${port}` })).toBe('ADDRESS_REFUSED')
    expect(await codeOf(tool, { url: `http://10.0.0.1:${port}` })).toBe('ADDRESS_REFUSED')
  })

  it('[TOOL-1, ABUSE-79] are not reached by a second answer: the connection is made to what was checked', async () => {
    const { port, seen } = await serve((_, response) => response.end('first'))
    const resolve = answers(['127.0.0.1'], ['127.0.0.2'])
    const tool = httpRequestTool({ allowPrivate: ['127.0.0.1'], resolve })
    const response = await resultOf<HttpResponse>(tool, { url: `http://name.example:${port}/` })
    expect(response.body).toBe('first')
    expect(resolve.asked).toEqual(['name.example'])
    expect(seen[0]?.headers.host).toBe(`name.example:${port}`)
    expect(await codeOf(tool, { url: `http://name.example:${port}/` })).toBe('ADDRESS_REFUSED')
  })

  it('[TOOL-1, ABUSE-79] are refused as the peer that a socket has reached, whatever was asked before', async () => {
    const { port } = await serve((_, response) => response.end())
    const checked: string[] = []
    // The answer passes, and the peer does not: as behind a resolver or a route that lies.
    const connect = guardedConnector((address) => checked.push(address) === 1, {
      resolve: answers(['127.0.0.1']),
      timeoutMs: 30_000,
    })
    const error = await new Promise((resolve) => {
      connect({ hostname: 'name.example', protocol: 'http:', port: String(port) }, (...[failure]: readonly unknown[]) =>
        resolve(failure),
      )
    })
    expect(error).toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(checked).toEqual(['127.0.0.1', '127.0.0.1'])
  })

  it('[TOOL-1] names the address, what was not done and what to do', async () => {
    expect(await errorOf(httpRequestTool(), { url: 'http://2130706433/' })).toEqual({
      code: 'ADDRESS_REFUSED',
      message: 'The address 127.0.0.1 is not a public address, so nothing was sent. Ask for a public one.',
    })
    expect(
      (await errorOf(httpRequestTool({ resolve: answers(['10.0.0.1']) }), { url: 'http://a.example/' })).message,
    ).toMatch(/^a\.example leads to 10\.0\.0\.1, which is not a public address/)
  })
})

describe('hosts', () => {
  it('[TOOL-1] are asked only where the host lists them', async () => {
    const { port } = await serve((_, response) => response.end('yes'))
    const tool = httpRequestTool({
      allow: ['API.example.com', `*.below.example:${port}`, 'bücher.example'],
      allowPrivate: ['127.0.0.1'],
      resolve: answers(['127.0.0.1']),
    })
    const asked = async (host: string): Promise<string> => {
      const url = `http://${host}:${port}/`
      return codeOf(tool, { url }).catch(() => 'asked')
    }
    expect(await asked('api.example.com')).toBe('asked')
    expect(await asked('a.b.below.example')).toBe('asked')
    expect(await asked('xn--bcher-kva.example')).toBe('asked')
    for (const host of [
      'below.example',
      'api.example.com.evil.example',
      'evilbelow.example',
      'example.com',
      '127.0.0.1',
    ]) {
      expect([host, await asked(host)]).toEqual([host, 'NOT_ALLOWED'])
    }
    expect((await errorOf(tool, { url: 'http://other.example' })).message).toContain('API.example.com')
    expect(await codeOf(tool, { url: 'http://a.below.example/' })).toBe('NOT_ALLOWED')
  })
})
