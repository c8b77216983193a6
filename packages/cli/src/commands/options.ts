import { InvalidArgumentError, Option } from 'commander'

/** The scan options of `--recursive`: how deep it looks, and that it enters hidden folders such as `.claude/skills`. */
export const RECURSIVE_SCAN = { depth: 64, hidden: true } as const

/** Reads a number of seconds as milliseconds. @throws {InvalidArgumentError} */
export function readSeconds(text: string): number {
  const milliseconds = Math.round(Number(text) * 1000)
  if (!/^\d+(?:\.\d+)?$/.test(text) || milliseconds < 1 || milliseconds > 86_400_000)
    throw new InvalidArgumentError('Give a number of seconds, more than 0 and at most 86400.')
  return milliseconds
}

/** Reads the number of a port. @throws {InvalidArgumentError} it is not a port */
export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('Give the number of a port, 0 to 65535.')
}

/** `--json`, the same for every command. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value on stdout')
}

/**
 * An option that may be repeated, with one value each. Not `<name...>`, which would consume the following arguments.
 */
export function repeatableOption(flags: string, description: string): Option {
  return new Option(flags, `${description}; repeatable`).argParser(
    (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
  )
}
