import type { Dispatcher } from 'undici'
import type { AddressCheck } from '@repertoire/tools/network'
import { ORIGIN_TIMEOUT_MS } from '../limits.ts'
import type { OriginOptions } from '../options.ts'
import { addressCheck, checkHop, trusted } from './address.ts'
import { checkProxied, proxyFor } from './proxy.ts'

/** Connections of one download: directly to permitted addresses and to no others, or through a proxy. */
export interface Connections {
  /**
   * Judges an address, and returns what it is asked by.
   * @throws {SkillError} ORIGIN_REFUSED, ORIGIN_UNREACHABLE
   */
  to(url: URL): Promise<Dispatcher>
  close(): Promise<void>
}

/** @param origin as messages name it */
export async function openConnections(origin: string, options: OriginOptions): Promise<Connections> {
  const { ca, timeout = ORIGIN_TIMEOUT_MS } = options
  const isPermitted = await addressCheck(options)
  const certificates = ca === undefined ? {} : { ca: [...(await trusted(ca))] }
  const { Agent, ProxyAgent } = await import('undici')
  const { guardedConnector } = await import('@repertoire/tools/network')
  const direct = new Agent({ connect: guardedConnector(isPermitted, { timeoutMs: timeout, ...certificates }) })
  const proxied = new Map<string, Dispatcher>()
  return {
    async to(url) {
      checkHop(origin, url, isPermitted)
      const proxy = await judgedProxy(origin, url, isPermitted)
      if (proxy === undefined) return direct
      const tls = { timeout, ...certificates }
      const agent = proxied.get(proxy.href) ?? new ProxyAgent({ uri: proxy.href, requestTls: tls, proxyTls: tls })
      proxied.set(proxy.href, agent)
      return agent
    },
    async close() {
      await Promise.all([direct, ...proxied.values()].map((agent) => agent.destroy()))
    },
  }
}

/** Returns the proxy for an address, once that was judged. @throws {SkillError} ORIGIN_REFUSED, ORIGIN_UNREACHABLE */
export async function judgedProxy(origin: string, url: URL, isPermitted: AddressCheck): Promise<URL | undefined> {
  const proxy = proxyFor(origin, url)
  if (proxy !== undefined) await checkProxied(origin, url, isPermitted)
  return proxy
}
