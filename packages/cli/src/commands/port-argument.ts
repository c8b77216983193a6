import { InvalidArgumentError } from 'commander'

/** Reads the number of a port. @throws {InvalidArgumentError} it is none */
export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Give the number of a port, 0 to 65535.')
}
