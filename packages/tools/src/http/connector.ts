import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { callable, checkOptions, listOf, type OptionTable, required, text, timeLimit } from '@repertoire/core/options'
import { ToolFailure } from '../result.ts'
import type { AddressCheck } from './address.ts'

/** Finds all addresses of a name. */
export type ResolveName = (
  name: string,
  callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void

const resolveBySystem: ResolveName = (name, callback) => {
  systemLookup(name, { all: true }, callback)
}

/** Options of `guardedConnector`. */
export interface GuardedConnectorOptions {
  /** Finds the addresses of a host name. Default: the system's resolver. */
  readonly resolve?: ResolveName | undefined
  /** For the connection, in milliseconds. */
  readonly timeoutMs: number
  /** Certificates in PEM that are trusted, in place of those of Node. */
  readonly ca?: readonly string[] | undefined
}

const CONNECTOR_OPTIONS: OptionTable<GuardedConnectorOptions> = {
  resolve: callable,
  timeoutMs: required(timeLimit),
  ca: listOf(text),
}

/**
 * Returns a connector to permitted addresses alone. Node asks no resolver about `127.0.0.1`, so an address in the URL
 * is checked here; of a name every answer is checked, and the connection is made to those very answers, so that no
 * second question is answered otherwise; in the end the socket says whom it reached.
 */
export function guardedConnector(isPermitted: AddressCheck, given: GuardedConnectorOptions): buildConnector.connector {
  checkOptions('guardedConnector', CONNECTOR_OPTIONS, given)
  const { resolve = resolveBySystem, timeoutMs, ca } = given
  const lookup: LookupFunction = (name, { all }, callback) => {
    resolve(name, (error, addresses) => {
      if (error !== null) return callback(error, '')
      const refused = addresses.find(({ address }) => !isPermitted(address))
      if (refused !== undefined) return callback(refusedAddress(name, refused.address), '')
      const [first] = addresses
      if (first === undefined) return callback(new Error(`${name} has no address`), '')
      if (all === true) return callback(null, [...addresses])
      return callback(null, first.address, first.family)
    })
  }
  // Undici passes what it does not know on to Node's `connect`.
  const options = { lookup, timeout: timeoutMs, ca } as buildConnector.BuildOptions
  const connect = buildConnector(options)
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(literal) !== 0 && !isPermitted(literal)) return callback(refusedAddress(literal, literal), null)
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null)
      const { remoteAddress } = socket
      if (remoteAddress !== undefined && isPermitted(remoteAddress)) return callback(null, socket)
      socket.destroy()
      return callback(refusedAddress(literal, remoteAddress ?? 'an unknown address'), null)
    })
  }
}

function refusedAddress(name: string, address: string): ToolFailure {
  const what = name === address ? `The address ${address}` : `${name} leads to ${address}, which`
  return new ToolFailure(
    'ADDRESS_REFUSED',
    `${what} is not a public address, so nothing was sent. Ask for a public one.`,
  )
}
