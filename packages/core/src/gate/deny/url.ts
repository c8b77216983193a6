import { MAX_PATTERN_CHARS, matchText } from '../glob.ts'
import { bareHost, coversHost, hostOf, readUrl } from '../url.ts'
import { quote } from '../wording.ts'
import type { Denial, Denier } from './denial.ts'

/**
 * An address. A host means itself and all below it; of an address, scheme and port tell nothing apart, since servers
 * send from one to the other, and what stands behind the pattern's end is meant too.
 */
export function denyUrl(value: string): Denier {
  const url = readUrl(value)
  if (typeof url === 'string') return () => ({ why: `the address ${quote(value)} ${url}` })
  const hosts = [bareHost(url.hostname), ...innerAddress(url.hostname)]
  const meant: Denial = { why: `the address ${quote(value)} is what it means` }
  return (pattern) => {
    const wanted = readPattern(pattern)
    if (wanted === undefined) return { why: `what the pattern ${quote(pattern)} means is not certain` }
    if (!hosts.some((host) => coversHost(wanted.host, host))) return undefined
    return wanted.path === undefined || mayBePath(wanted.path, url) ? meant : undefined
  }
}

/** Undefined where it cannot be told which hosts it means. */
function readPattern(pattern: string): { readonly host: string; readonly path?: string } | undefined {
  if (pattern.length > MAX_PATTERN_CHARS) return undefined
  const domain = pattern.startsWith('domain:') ? pattern.slice('domain:'.length) : undefined
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^#]*)$/is.exec(pattern) ?? []
  const host = domain ?? authority.replace(/:(?:\d*|\*)$/, '')
  if (host !== '*' && hostOf(host.replace(/^\*\./, '')) === undefined) return undefined
  // What a query asks for can be asked in another order.
  return domain === undefined ? { host, path: path.split('?', 1)[0]! } : { host }
}

/** The address of version 4 that one of version 6 carries: `[::ffff:7f00:1]` is 127.0.0.1 by another spelling. */
function innerAddress(hostname: string): readonly string[] {
  const [, high = '', low = ''] = /^\[(?:::ffff:(?:0:)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (low === '') return []
  return [[high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join('.')]
}

function mayBePath(pattern: string, url: URL): boolean {
  // Servers differ in what they make of an encoded letter, of doubled slashes and of parameters within a path.
  if (/[%;]|\/\//.test(url.pathname)) return true
  const wanted = new URL(`https://host${pattern}`).pathname.toLowerCase()
  return wanted.includes('%') || matchText(`${wanted}*`, url.pathname.toLowerCase())
}
