import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Whether an address may be connected to. */
export type AddressCheck = (address: string) => boolean

/** All addresses of IPv6 that are given out for the public network. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** In a public range, and answered inside Azure alone: its wire server knows the secrets of a machine. */
const PRIVATE_IN_PUBLIC: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Returns a check that lets public addresses through, and those that the host has named. One that this machine has
 * itself is not public, whatever range it is in: services that a firewall closes to everybody else answer there.
 * @param allowed addresses and ranges such as `127.0.0.1` and `10.1.0.0/16`
 * @param own the addresses of this machine
 * @throws {TypeError} one of them is neither
 */
export function createAddressCheck(
  allowed: readonly string[],
  own: () => readonly string[] = ownAddresses,
): AddressCheck {
  const ranges = allowed.map(readRange)
  return (text) => {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    const isNamed = ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
    return isNamed || (isPublic(address) && !own().some((each) => isSame(each, address)))
  }
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
}

function isSame(own: string, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return ipaddr.isValid(own) && ipaddr.process(own).toNormalizedString() === address.toNormalizedString()
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast' || PRIVATE_IN_PUBLIC.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(PUBLIC_IPV6)
}

function readRange(text: string): readonly [ipaddr.IPv4 | ipaddr.IPv6, number] {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    // `127.1` and `0x7f.1` are addresses, too.
    if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)) {
      const address = ipaddr.parse(text)
      return [address, address.kind() === 'ipv4' ? 32 : 128]
    }
  } catch {
    // Not a range.
  }
  throw new TypeError(
    `\`allowPrivate\` takes addresses and ranges such as "127.0.0.1" and "10.1.0.0/16", not ${JSON.stringify(text)}.`,
  )
}
