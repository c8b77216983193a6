import { lookup as lookupAddress } from 'node:dns'
import type { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { AddressCheck } from '@repertoire/tools/network'
import { refused } from './failure.ts'
import type { OriginOptions } from './options.ts'
import { addressCheck, checkHop } from './web/address.ts'

/** Chooses the connections for one hop of a request. @throws {SkillError} ORIGIN_REFUSED */
export type AgentFor = (url: URL) => HttpAgent

interface AgentsOfNpm {
  readonly getAgent: (url: string, options: object) => HttpAgent
}

/**
 * Judges every hop of what a registry is asked. To its own host it goes as npm does, by a proxy where the environment names one.
 * A registry may store its packages elsewhere, and redirect there: as any other address, that has to be public and asked by
 * https. It has to be another host by its name too, since npm takes the token off for that alone.
 * @param settings of pacote
 */
export async function registryAgent(
  source: string,
  registry: string,
  options: OriginOptions,
  settings: { readonly ca?: readonly string[]; readonly timeout: number },
): Promise<AgentFor> {
  const isPermitted = await addressCheck(options)
  const { protocol, host, hostname } = new URL(registry)
  // pacote uses it for every request that it is given no agent for.
  // @ts-expect-error It has no types of its own.
  const { default: npm } = (await import('@npmcli/agent')) as { readonly default: AgentsOfNpm }
  return (url) => {
    if (url.host === host && url.protocol === protocol) return npm.getAgent(url.href, settings)
    if (url.hostname === hostname) {
      throw refused(
        source,
        `the registry leads to ${url.protocol}//${url.host}, where a token of its own could be read.`,
      )
    }
    checkHop(source, url, isPermitted)
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
        const reason = `the registry leads to ${name}, which is not a public address. Allow it by \`allowPrivate\` if it is yours.`
        return callback(refused(source, reason), '', 0)
      }
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
}
