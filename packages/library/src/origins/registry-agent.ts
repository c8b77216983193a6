import { lookup as lookupAddress } from 'node:dns'
import type { ClientRequest, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AddressCheck } from '@repertoire/tools/network'
import { refused } from './failure.ts'
import type { OriginOptions } from './options.ts'
import { addressCheck, checkHop } from './web/address.ts'
import { checkProxied, proxyFor } from './web/proxy.ts'

/** Chooses the connections for one hop of a request. @throws {SkillError} ORIGIN_REFUSED */
export type AgentFor = (url: URL) => HttpAgent

/** The agent that pacote uses by default. */
interface AgentsOfNpm {
  readonly Agent: new (options: object) => HttpAgent & {
    connect(request: ClientRequest, options: object): Promise<Duplex>
  }
}

/**
 * Judges every hop of what a registry is asked. It goes through a proxy where there is one for the host. A registry may store
 * its packages elsewhere, and redirect there: as any other address, that has to be public and asked by https. It has to be
 * another host by its name too, since npm takes the token off for that alone.
 * @param settings of pacote
 */
export async function registryAgent(
  source: string,
  registry: string,
  options: OriginOptions,
  settings: { readonly ca?: readonly string[]; readonly timeout: number },
): Promise<AgentFor> {
  const isPermitted = await addressCheck(options)
  const own = new URL(registry)
  const { protocol, host, hostname } = own
  // @ts-expect-error The package has no types.
  const { default: npm } = (await import('@npmcli/agent')) as { readonly default: AgentsOfNpm }
  // A name that no host has: without one it would read `NO_PROXY` by rules of its own, where it was decided already.
  const through = (proxy: URL): object => ({ ...settings, proxy: proxy.href, noProxy: 'invalid' })
  const ownProxy = proxyFor(source, own, options)
  const ownAgent = new npm.Agent(ownProxy === undefined ? settings : through(ownProxy))
  return (url) => {
    if (url.host === host && url.protocol === protocol) return ownAgent
    if (url.hostname === hostname) {
      const reason = `the registry leads to ${url.protocol}//${url.host}, where a token of its own could be read.`
      throw refused(source, reason)
    }
    checkHop(source, url, isPermitted)
    const proxy = proxyFor(source, url, options)
    if (proxy !== undefined) {
      const agent = new npm.Agent(through(proxy))
      const connect = agent.connect.bind(agent)
      agent.connect = async (request, connection) => {
        await checkProxied(source, url, isPermitted)
        return connect(request, connection)
      }
      return agent
    }
    const ca = settings.ca === undefined ? {} : { ca: [...settings.ca] }
    return new HttpsAgent({ ...ca, timeout: settings.timeout, lookup: guardedLookup(source, isPermitted) })
  }
}

/** Resolves a name, and fails if any of its addresses is not permitted. */
function guardedLookup(source: string, isPermitted: AddressCheck): LookupFunction {
  return (name, options, callback) => {
    lookupAddress(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0)
      const bad = found.find(({ address }) => !isPermitted(address))
      const [first] = found
      if (bad !== undefined || first === undefined) {
        const reason = `the registry leads to ${name}, which is not a public address. If it is yours, allow it with --allow-private (in code: \`allowPrivate\`).`
        return callback(refused(source, reason), '', 0)
      }
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
}
