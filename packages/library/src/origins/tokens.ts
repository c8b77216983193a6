import process from 'node:process'
import type { OriginOptions } from './options.ts'

/** The variables in which tokens are usually kept, by the host that they are for. */
const VARIABLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['github.com', ['GH_TOKEN', 'GITHUB_TOKEN']],
  ['gitlab.com', ['GITLAB_TOKEN']],
])

/** Returns the token for a host, with its port where it has one. */
export function tokenFor(host: string, { tokens }: OriginOptions): string | undefined {
  const token = tokens === undefined ? fromEnvironment(VARIABLES.get(host) ?? []) : ownValue(tokens, host)
  // A line break would begin another header.
  return token !== undefined && /^[\x21-\x7E]+$/.test(token) ? token : undefined
}

/** Returns the token for a registry. */
export function registryToken(host: string, { tokens }: OriginOptions): string | undefined {
  return tokens === undefined ? fromEnvironment(['NPM_TOKEN']) : ownValue(tokens, host)
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
