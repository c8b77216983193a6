import { lookup } from 'node:dns/promises'
import process from 'node:process'
import type { AddressCheck } from '@repertoire/tools/network'
import { unreachable } from '../failure.ts'
import { isLoopback, literalOf, privateAddress } from './address.ts'

/**
 * Returns the proxy through which an address is asked: that of `HTTPS_PROXY` (`HTTP_PROXY` for plain http), unless
 * `NO_PROXY` names the host. Undefined: it is asked directly, as all on this machine is. A proxy resolves names itself:
 * refused are only those that are private by how they are written, or to this machine.
 * @throws {SkillError} ORIGIN_UNREACHABLE: the proxy is of a kind that is not spoken here
 */
export function proxyFor(origin: string, url: URL): URL | undefined {
  if (isLoopback(literalOf(url.hostname)) || isExempt(url, variable('no_proxy'))) return undefined
  const given = variable(`${url.protocol.slice(0, -1)}_proxy`)
  if (given === undefined) return undefined
  const found = URL.parse(given.includes('://') ? given : `http://${given}`)
  if (found !== null && /^https?:$/.test(found.protocol) && found.hostname !== '') return found
  // What it says is not repeated: it may hold a password.
  const reason =
    'its proxy is not an address that begins with http:// or https://. Correct it, or name the host in NO_PROXY.'
  throw unreachable(origin, reason)
}

/**
 * Judges a name that a proxy is about to be asked for. The proxy finds its address, which this machine cannot see; but
 * a name that this machine knows to be private is not asked for.
 * @param resolve default: the system's resolver
 * @throws {SkillError} ORIGIN_REFUSED
 */
export async function checkProxied(
  origin: string,
  { hostname }: URL,
  isPermitted: AddressCheck,
  resolve: (host: string) => Promise<readonly string[]> = addressesOf,
): Promise<void> {
  const bad = (await resolve(literalOf(hostname))).find((address) => !isPermitted(address))
  if (bad !== undefined) throw privateAddress(origin, hostname, bad)
}

/** Behind a proxy, most machines know no names of the network outside. */
async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}

/** Small letters first, as of `curl`, which git uses. An empty one counts for none. */
function variable(name: string): string | undefined {
  return process.env[name] || process.env[name.toUpperCase()] || undefined
}

/** Whether a list of hosts names the one of an address: by itself, as one below a domain, or each by `*`. */
function isExempt({ hostname, port, protocol }: URL, list = ''): boolean {
  const host = literalOf(hostname).toLowerCase()
  const ownPort = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((entry) => {
    const [, name = '', only] =
      /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase().replace(/^\[(.*)\]/, '$1')) ?? []
    if (entry === '*' || entry.toLowerCase() === host) return true
    if (name === '' || (only !== undefined && only !== ownPort)) return false
    return host === name || host.endsWith(`.${name}`)
  })
}
