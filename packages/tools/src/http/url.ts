import { isIP } from 'node:net'
import { ToolFailure } from '../result.ts'
import type { AddressCheck } from './address.ts'
import type { HostCheck } from './allowed-hosts.ts'
import { refusedAddress } from './connector.ts'

/** A value of the query: a list is the same name several times. */
export type QueryValue = string | number | boolean | readonly (string | number | boolean)[]

/**
 * Reads the address of a request.
 * @throws {ToolFailure} INPUT_INVALID
 */
export function readUrl(text: string, query: Readonly<Record<string, QueryValue>>): URL {
  // URLs leave these out without a word, so that the text would say another address than the one that is asked.
  const url = /[\0-\x20\x7F\\]/.test(text) ? null : URL.parse(text)
  if (url === null) throw invalid(text, 'is not a URL. Pass one such as "https://example.com/path"')
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each))
  }
  return url
}

/** What every hop of a request must satisfy. */
export interface UrlRules {
  readonly isAllowedHost: HostCheck
  readonly isPermitted: AddressCheck
  /** The hosts that are allowed, for the message. */
  readonly allow: readonly string[] | undefined
}

/**
 * Checks one hop before anything is sent.
 * @throws {ToolFailure} INPUT_INVALID, NOT_ALLOWED, ADDRESS_REFUSED
 */
export function checkUrl(url: URL, { isAllowedHost, isPermitted, allow }: UrlRules): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw invalid(url.href, 'is not an address of the web. Pass one that begins with "https://" or "http://"')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolFailure('INPUT_INVALID', 'The URL holds a user name or a password. Pass credentials in a header.')
  }
  if (!isAllowedHost(url)) {
    const hosts = allow!.length === 0 ? 'none' : allow!.join(', ')
    throw new ToolFailure(
      'NOT_ALLOWED',
      `${JSON.stringify(url.host)} is not among the hosts that may be asked: ${hosts}.`,
    )
  }
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0 && !isPermitted(literal)) throw refusedAddress(literal, literal)
}

function invalid(text: string, why: string): ToolFailure {
  return new ToolFailure('INPUT_INVALID', `${JSON.stringify(text.slice(0, 200))} ${why}.`)
}
