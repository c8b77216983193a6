import { PROFILES } from '@repertoire/core/authoring'
import { InvalidArgumentError, Option } from 'commander'

/** The scan options of `--recursive`: how deep it looks, and that it enters hidden folders such as `.claude/skills`. */
export const RECURSIVE_SCAN = { depth: 64, hidden: true } as const

/**
 * `--profile`, the same for every command.
 * @param otherwise the default, for the help text
 */
export function profileOption(otherwise: string): Option {
  return new Option('--profile <name>', `how strictly SKILL.md files are read (default: ${otherwise})`).choices(
    PROFILES,
  )
}

/** `--json`, the same for every command. */
export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value on stdout')
}

/** `--diagnostics`, the same for every command. */
export function diagnosticsOption(limit: number): Option {
  return new Option('--diagnostics', `show every finding, not only the first ${limit}`)
}

/**
 * An option that may be repeated, with one value each. Not `<name...>`, which would consume the following arguments.
 * @param choices default: any
 */
export function repeatableOption(flags: string, description: string, choices?: readonly string[]): Option {
  const allowed = choices === undefined ? '' : `: ${choices.join(', ')}`
  return new Option(flags, `${description}; repeatable${allowed}`).argParser(
    (value: string, before: readonly string[] | undefined) => {
      if (choices?.includes(value) === false)
        throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
      return [...(before ?? []), value]
    },
  )
}
