import { quote } from '@repertoire/skill-md/internal'
import { MAX_PATTERN_CHARS } from '../limits.ts'
import { matchText } from '../paths/glob.ts'
import { type Check, unjudged } from '../texts.ts'
import { bareHost, coversHost, readUrl } from './url.ts'

/**
 * Compares an address. `domain:x` is the host x and all below it, `domain:*.x` all below it, `domain:*` every host;
 * port and path are free. `https://host/path*` is compared with the normalised address: scheme, host and port exactly,
 * then path and query, where each `*` matches any text; a host may begin with `*.` and holds no other `*`. Only
 * http and https. Addresses that two readers could read in two ways match nothing.
 */
export function allowUrl(value: string): Check {
  const url = readUrl(value)
  if ('problem' in url) return unjudged(false, `the address ${quote(value)} ${url.problem}`)
  return { matches: (pattern) => coversUrl(pattern, url), why: `the address ${quote(value)} is not covered` }
}

function coversUrl(pattern: string, url: URL): boolean {
  if (pattern.length > MAX_PATTERN_CHARS) return false
  if (pattern.startsWith('domain:')) return coversHost(pattern.slice('domain:'.length), bareHost(url.hostname))
  const [, scheme, host, rest] = /^(https?:\/\/)([^/?#]+)(.*)$/is.exec(pattern) ?? []
  if (scheme === undefined || host === undefined || rest === undefined) return false
  return coversOrigin(scheme, host, url) && coversPath(rest, url)
}

function coversOrigin(scheme: string, host: string, url: URL): boolean {
  if (`${url.protocol}//` !== scheme.toLowerCase()) return false
  const below = host.startsWith('*.')
  if (host.includes('*', below ? 1 : 0)) return false
  const wanted = readUrl(`${scheme}${below ? host.slice('*.'.length) : host}`)
  if ('problem' in wanted || wanted.port !== url.port) return false
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
