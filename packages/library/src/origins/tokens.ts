import process from 'node:process'
import type { OriginOptions } from './options.ts'

/** The environment variables that usually hold tokens, by host. Any host has `REPERTOIRE_TOKEN_<HOST>` before them. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['github.com', ['GH_TOKEN', 'GITHUB_TOKEN']],
  ['gitlab.com', ['GITLAB_TOKEN']],
])

/** Returns the token for a host. The host includes its port, if it has one. */
export function tokenFor(host: string, { tokens }: OriginOptions): string | undefined {
  const names = [tokenVariable(host), ...(VARIABLES.get(host) ?? [])]
  const token = tokens === undefined ? fromEnvironment(names) : ownValue(tokens, host)
  return sendable(token)
}

/** The environment variable that holds the token of a host: `REPERTOIRE_TOKEN_DEV_AZURE_COM` for `dev.azure.com`. */
export function tokenVariable(host: string): string {
  return `REPERTOIRE_TOKEN_${host.toUpperCase().replaceAll(/[^A-Z\d]+/g, '_')}`
}

/** Where a token may be sent in clear: it does not leave the machine. */
const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/

/** Returns the token for a registry; none where it would be sent in clear. */
export function registryToken(registry: string, { tokens }: OriginOptions): string | undefined {
  const { protocol, host, hostname } = new URL(registry)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) return undefined
  return sendable(tokens === undefined ? fromEnvironment([tokenVariable(host), 'NPM_TOKEN']) : ownValue(tokens, host))
}

/** A line break would begin another header. */
function sendable(token: string | undefined): string | undefined {
  return token !== undefined && /^[\x21-\x7E]+$/.test(token) ? token : undefined
}

/** Returns a text without a token that it may repeat. */
export function withoutToken(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, '…')
}

function fromEnvironment(names: readonly string[]): string | undefined {
  return names.map((name) => process.env[name]).find((value) => value !== undefined && value !== '')
}

function ownValue(tokens: Readonly<Record<string, string>>, host: string): string | undefined {
  return Object.hasOwn(tokens, host) ? tokens[host] : undefined
}
