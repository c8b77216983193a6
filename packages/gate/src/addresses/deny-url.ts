import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { matchText } from '../paths/glob.ts'
import { type Check, unjudged } from '../texts.ts'
import { bareHost, coversHost, hostOf, readUrl } from './url.ts'

/**
 * Checks an address. A host means itself and all below it; scheme and port make no difference, since servers redirect
 * from one to the other, and a pattern means all addresses that begin with it.
 */
export function denyUrl(value: string): Check {
  const url = readUrl(value)
  if ('problem' in url) return unjudged(true, `the address ${quote(value)} ${url.problem}`)
  const hosts = [bareHost(url.hostname), ...embeddedAddress(url.hostname)]
  return {
    why: `the address ${quote(value)} may match it`,
    matches(pattern) {
      const wanted = readPattern(pattern)
      if (wanted === undefined) return true
      if (!hosts.some((host) => coversHost(wanted.host, host))) return false
      return wanted.path === undefined || mayMatchPath(wanted.path, url)
    },
  }
}

/** The host and path of a pattern; undefined if it is not certain which hosts it means. */
function readPattern(pattern: string): { readonly host: string; readonly path?: string } | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  const domain = pattern.startsWith('domain:') ? pattern.slice('domain:'.length) : undefined
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^#]*)$/is.exec(pattern) ?? []
  const host = domain ?? authority.replace(/:(?:\d*|\*)$/, '')
  if (host !== '*' && hostOf(host.replace(/^\*\./, '')) === undefined) return undefined
  // The parameters of a query may come in another order.
  return domain === undefined ? { host, path: path.split('?', 1)[0]! } : { host }
}

/** The IPv4 address in an IPv6 one: `[::ffff:7f00:1]` is another spelling of 127.0.0.1. */
function embeddedAddress(hostname: string): readonly string[] {
  const [, high = '', low = ''] = /^\[(?:::ffff:(?:0:)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (low === '') return []
  return [[high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join('.')]
}

function mayMatchPath(pattern: string, url: URL): boolean {
  // Servers differ in what they make of an encoded letter, of doubled slashes and of parameters within a path.
  if (/[%;]|\/\//.test(url.pathname)) return true
  const wanted = new URL(`https://host${pattern}`).pathname.toLowerCase()
  return wanted.includes('%') || matchText(`${wanted}*`, url.pathname.toLowerCase())
}
