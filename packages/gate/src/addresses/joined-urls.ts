import type { ReadCall } from '../call.ts'
import { HARMLESS, type JoinedText, names, otherValues } from '../other-arguments.ts'
import { readUrl } from './url.ts'

/** An address that other arguments of a call give, or change; `isAddress`: the argument is certainly about one. */
export interface JoinedUrl extends JoinedText {
  readonly isAddress: boolean
}

/**
 * What an argument is to a tool that fetches. `address`: an address or a host. `path`: what follows the host. `part`:
 * another part of an address, such as its port: the address cannot be read. `unknown`: an address or a path.
 */
type Role = 'address' | 'path' | 'part' | 'unknown'

const ADDRESSES = names(
  'url urls uri uris href link links address addresses host hosts hostname domain domains server origin base baseurl ' +
    'baseuri apiurl apibase site website redirect redirecturl callback callbackurl proxy proxyurl gateway upstream target ' +
    'targets mirror authority subdomain xforwardedhost forwarded socket socketpath unixsocket unixsocketpath',
)

const PATHS = names('path paths pathname route resource suffix file filename')

/** Arguments that change neither the host nor the path: what is sent, and what is shown of the answer. */
const CONTENT = names(
  'prompt method verb body data json form formdata params query querystring searchparams payload content contenttype ' +
    'accept useragent authorization auth token apikey cookie cookies referer limit maxlength startindex offset raw format ' +
    'mode encoding selector waituntil viewport language lang maxredirects followredirects retries maxbytes output',
)

const PARTS = names('port scheme protocol')

function roleOf(name: string, within: readonly string[]): Role | undefined {
  // Headers are data for the permitted server, unless they name another host.
  if (within.includes('headers')) {
    // One header in a list may be any: `{ name: 'Host', value: '…' }`.
    if (/^values?$/.test(name)) return 'address'
    return ADDRESSES.has(name) && !/^(?:origin|link)$/.test(name) ? 'address' : undefined
  }
  if (HARMLESS.has(name) || CONTENT.has(name)) return undefined
  if (ADDRESSES.has(name)) return 'address'
  if (PATHS.has(name)) return 'path'
  return PARTS.has(name) ? 'part' : 'unknown'
}

/**
 * All addresses that a call may mean beside those that its rules speak of: what other arguments name, these joined with
 * each other. What a query adds is not looked at.
 * @param urls those that its rules speak of
 */
export function joinedUrls(
  call: Pick<ReadCall, 'input' | 'known' | 'argument'>,
  urls: readonly string[],
  argument = call.argument!,
): readonly JoinedUrl[] {
  const others = otherValues(argument, call, roleOf).flatMap(({ name, role, value }) => {
    // A number is no path, and a part or a host only where the name says so.
    if (typeof value === 'number' && role !== 'part' && role !== 'address') return []
    return [{ name, role, text: value === undefined || role === 'part' ? undefined : String(value).trim() }]
  })
  const whole = others.flatMap(({ role, text }) => (role === 'address' && text !== undefined ? [asUrl(text)] : []))
  const bases = [...new Set([...urls, ...whole])]
  const readings = (role: Role, text: string): readonly string[] => {
    if (ABSOLUTE.test(text)) return [asUrl(text)]
    const isPath = role === 'path' || text.startsWith('/')
    return [
      ...(isPath ? [] : [asUrl(text)]),
      ...(isPath || role === 'unknown' ? bases.flatMap((base) => joinedTo(base, text)) : []),
    ]
  }
  return others.flatMap(({ name, role, text }): readonly JoinedUrl[] => {
    const isAddress = role === 'address'
    if (text === undefined) return [{ name, text: undefined, isAddress }]
    return readings(role, text).map((url) => ({ name, text: url, isAddress }))
  })
}

const ABSOLUTE = /^(?:[a-z][a-z\d+.-]*:)?[/\\]{2}/i

/** An address, or a host as one. */
function asUrl(text: string): string {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text
  return text.startsWith('//') ? `https:${text}` : `https://${text}`
}

/** What a path behind an address may give: programs resolve it, or put one text behind the other. */
function joinedTo(base: string, path: string): readonly string[] {
  const resolved = URL.canParse(path, base) ? [new URL(path, base).href] : []
  return [...resolved, `${base}${path}`]
}

export function mayBeAddress(url: string): boolean {
  return !('problem' in readUrl(url)) || /[@\\]|[/\\]{2}.*[/\\]{2}/s.test(url)
}
