import { MAX_PATTERN_CHARS, matchText } from './glob.ts'
import { unicodeExpression } from '../text/unicode-expression.ts'
import type { Comparison } from './mismatch.ts'
import { quote } from './wording.ts'

const MAX_URL_CHARS = 8_000

/** Two slashes and a host: the WHATWG URL standard reads less than that too, other readers differ. */
const WRITTEN = /^https?:\/\/([^/?#]+)/i

/** What other readers would read as something else, in an address and in a host. */
const SPECIAL = unicodeExpression(String.raw`[\s\\]|\p{C}`)
const SPECIAL_IN_HOST = unicodeExpression(String.raw`[/?#@:\\%*\s]|\p{C}`)

/**
 * Compares an address. `domain:x` is the host x and all below it, `domain:*.x` all below it, `domain:*` every host;
 * port and path are free. `https://host/path*` is compared with the normalised address: scheme, host and port exactly,
 * then path and query, in which each `*` stands for any text; a host may begin with `*.` and holds no other `*`. Only
 * http and https. Addresses that two readers could read in two ways match nothing.
 */
export function compareUrl(name: string, value: unknown): Comparison {
  const url = readUrl(value)
  if (typeof url === 'string') {
    const shownValue = typeof value === 'string' ? `the address ${quote(value)}` : `its argument ${quote(name)}`
    return () => ({ why: `${shownValue} ${url}`, weight: 'value' })
  }
  return (pattern) =>
    covers(pattern, url) ? undefined : { why: `the address ${quote(String(value))} is not covered`, weight: 'form' }
}

/** An address, or a clause that says why it is none that can be judged. */
export function readUrl(value: unknown): URL | string {
  if (typeof value !== 'string') return 'is no text'
  if (value.length > MAX_URL_CHARS) return 'is longer than 8,000 characters'
  const host = WRITTEN.exec(value)?.[1]
  if (host === undefined) return 'is no http or https address'
  if (host.includes('@')) return 'holds a user name'
  if (SPECIAL().test(value)) return 'holds blanks, backslashes or control characters'
  if (host.includes('%')) return 'holds an encoded host'
  try {
    return new URL(value)
  } catch {
    return 'is no valid address'
  }
}

function covers(pattern: string, url: URL): boolean {
  if (pattern.length > MAX_PATTERN_CHARS) return false
  if (pattern.startsWith('domain:')) return coversHost(pattern.slice('domain:'.length), bareHost(url.hostname))
  const [, scheme, host, rest] = /^(https?:\/\/)([^/?#]+)(.*)$/is.exec(pattern) ?? []
  if (scheme === undefined || host === undefined || rest === undefined) return false
  return coversOrigin(scheme, host, url) && coversPath(rest, url)
}

/** Whether a host is one that a pattern of hosts means: itself and all below it, or with `*.` only what is below. */
export function coversHost(pattern: string, host: string): boolean {
  if (pattern === '*') return true
  const below = pattern.startsWith('*.')
  const wanted = hostOf(below ? pattern.slice('*.'.length) : pattern)
  return wanted !== undefined && ((!below && host === wanted) || host.endsWith(`.${wanted}`))
}

/** A host as an address would have it: lower case, punycode, no trailing dot. Undefined where it is more than a host. */
export function hostOf(text: string): string | undefined {
  if (SPECIAL_IN_HOST().test(text)) return undefined
  try {
    return bareHost(new URL(`https://${text}`).hostname) || undefined
  } catch {
    return undefined
  }
}

/** Without the dot that may end it. */
export function bareHost(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
}

function coversOrigin(scheme: string, host: string, url: URL): boolean {
  if (`${url.protocol}//` !== scheme.toLowerCase()) return false
  const below = host.startsWith('*.')
  if (host.includes('*', below ? 1 : 0)) return false
  const wanted = readUrl(`${scheme}${below ? host.slice('*.'.length) : host}`)
  if (typeof wanted === 'string' || wanted.port !== url.port) return false
  const [mine, theirs] = [bareHost(url.hostname), bareHost(wanted.hostname)]
  return below ? mine.endsWith(`.${theirs}`) : mine === theirs
}

function coversPath(pattern: string, url: URL): boolean {
  // Through the same normalisation, which leaves every "*" as it is.
  const wanted = new URL(`https://host${pattern.startsWith('/') ? '' : '/'}${pattern}`)
  if (wanted.hash !== '') return false
  const text = `${wanted.pathname}${wanted.search}`
  // A server may take an encoded slash for one, and the dots beside it for a step up.
  return text === '/*' || (!/%2f|%5c|%00/i.test(url.pathname) && matchText(text, `${url.pathname}${url.search}`))
}
