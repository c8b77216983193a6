import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AddressCheck } from '@repertoire/tools/network'
import { refused, unreachable } from '../failure.ts'
import type { OriginOptions } from '../options.ts'

/** @throws {TypeError} `allowPrivate` names something else than addresses */
export async function addressCheck({ allowPrivate = [] }: OriginOptions): Promise<AddressCheck> {
  const { createAddressCheck } = await import('@repertoire/tools/network')
  return createAddressCheck(allowPrivate)
}

/** The certificates that are trusted beside a company's own. */
export async function trusted(ca: string): Promise<readonly string[]> {
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, ca]
}

/**
 * Checks one hop before anything is sent: https, or http to a loopback address that the host has named.
 * @throws {SkillError} ORIGIN_REFUSED
 */
export function checkHop(origin: string, url: URL, isPermitted: AddressCheck): void {
  const { protocol, hostname, username, password } = url
  if (username !== '' || password !== '')
    throw refused(origin, 'an address on the way holds a user name or a password.')
  const host = literalOf(hostname)
  const isPlain = protocol === 'http:' && isLoopback(host)
  if (isPlain && !isPermitted('127.0.0.1') && !isPermitted('::1')) throw privateAddress(origin, host, host)
  if (protocol !== 'https:' && !isPlain)
    throw refused(origin, `it leads to ${protocol}//${url.host}, and only https is used. Write https.`)
  if (isIP(host) !== 0 && !isPermitted(host)) throw privateAddress(origin, host, host)
}

/**
 * Finds the addresses of a host, for a program that connects itself.
 * @returns nothing if the host is an address
 * @throws {SkillError} ORIGIN_REFUSED: one of the addresses is not public; ORIGIN_UNREACHABLE: the name has no address
 */
export async function permittedAddresses(
  origin: string,
  hostname: string,
  isPermitted: AddressCheck,
): Promise<readonly string[]> {
  const host = literalOf(hostname)
  if (isIP(host) !== 0) {
    if (isPermitted(host)) return []
    throw privateAddress(origin, host, host)
  }
  let found: readonly { readonly address: string }[]
  try {
    found = await lookup(host, { all: true })
  } catch (error) {
    throw unreachable(origin, `nothing is known of the host ${host}. Check its name, and the network.`, error)
  }
  const bad = found.find(({ address }) => !isPermitted(address))
  if (bad !== undefined) throw privateAddress(origin, host, bad.address)
  return found.map(({ address }) => address)
}

/** Whether a host is this machine by what it is called. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || host.startsWith('127.')
}

/** An address that is not asked. */
export function privateAddress(origin: string, host: string, address: string): ReturnType<typeof refused> {
  const what = host === address ? address : `${host} leads to ${address}, which`
  return refused(
    origin,
    `${what} is not a public address. If it is yours, allow it with --allow-private (in code: \`allowPrivate\`).`,
  )
}

/** A host without the brackets of an address of IPv6. */
export function literalOf(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
