import process from 'node:process'
import { REGISTRY } from './limits.ts'
import type { OriginOptions } from './options.ts'

/** The environment variables that usually hold tokens, by host. Any host has `REPERTOIRE_TOKEN_<HOST>` before them. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['github.com', ['GH_TOKEN', 'GITHUB_TOKEN']],
  ['gitlab.com', ['GITLAB_TOKEN']],
])

/** Where a token may be sent in clear: it does not leave the machine. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/

/** Returns the token for the host of an address, port included; undefined if it has none, or would be sent in clear. */
export function tokenFor(url: URL, { tokens, registry = REGISTRY }: OriginOptions): string | undefined {
  const { protocol, host, hostname } = url
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) return undefined
  const token =
    tokens === undefined
      ? [
          tokenVariable(host),
          ...(VARIABLES.get(host) ?? []),
          ...(host === URL.parse(registry)?.host ? ['NPM_TOKEN'] : []),
        ]
          .map((name) => process.env[name])
          .find((value) => value !== undefined && value !== '')
      : new Map(Object.entries(tokens)).get(host)
  // A line break would begin another header.
  return token !== undefined && /^[\x21-\x7E]+$/.test(token) ? token : undefined
}

/** The environment variable that holds the token of a host: `REPERTOIRE_TOKEN_DEV_AZURE_COM` for `dev.azure.com`. */
export function tokenVariable(host: string): string {
  return `REPERTOIRE_TOKEN_${host.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_')}`
}

/** Returns a text without a token that it may repeat. */
export function withoutToken(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, '…')
}
