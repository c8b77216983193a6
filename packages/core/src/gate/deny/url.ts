import { LONGEST_PATTERN, matchText } from '../glob.ts'
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
  const meant: Denial = { why: `the address ${quote(value)} is what it means` }
  return (pattern) => {
    const wanted = readPattern(pattern)
    if (wanted === undefined) return { why: `what the pattern ${quote(pattern)} means is not certain` }
    if (!coversHost(wanted.host, bareHost(url.hostname))) return undefined
    return wanted.path === undefined || mayBePath(wanted.path, url) ? meant : undefined
  }
}

/** Undefined where it cannot be told which hosts it means. */
function readPattern(pattern: string): { readonly host: string; readonly path?: string } | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined
  const domain = pattern.startsWith('domain:') ? pattern.slice('domain:'.length) : undefined
  const [, authority = '', path = ''] = /^https?:\/\/([^/?#]+)([^#]*)$/is.exec(pattern) ?? []
  const host = domain ?? authority.replace(/:(?:\d*|\*)$/, '')
  if (host !== '*' && hostOf(host.replace(/^\*\./, '')) === undefined) return undefined
  // What a query asks for can be asked in another order.
  return domain === undefined ? { host, path: path.split('?', 1)[0]! } : { host }
}

function mayBePath(pattern: string, url: URL): boolean {
  // Servers differ in what they make of an encoded letter, of doubled slashes and of parameters within a path.
  if (/[%;]|\/\//.test(url.pathname)) return true
  const wanted = new URL(`https://host${pattern}`).pathname.toLowerCase()
  return wanted.includes('%') || matchText(`${wanted}*`, url.pathname.toLowerCase())
}
