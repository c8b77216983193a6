/** `@repertoire/tools/network`: which addresses a program connects to, for code that sends requests of its own. */
export { createAddressCheck, type AddressCheck } from './http/address.ts'
export { guardedConnector, type GuardedConnectorOptions, type ResolveName } from './http/connector.ts'
