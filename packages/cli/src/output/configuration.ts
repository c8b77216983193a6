import type { Configuration, ConfigurationSettings } from '@repertoire/core/node'
import type { Context } from '../context.ts'
import { shownPath } from './path.ts'

/** A configuration as a command shows it. */
export interface ShownConfiguration {
  /** The file that was read. Absolute. Absent: there was none. */
  readonly file?: string
  /** What it and the environment set. */
  readonly settings: ConfigurationSettings
}

/** Returns what a command shows of a configuration. */
export function shownConfiguration({ file, given }: Configuration): ShownConfiguration {
  return { file, settings: given }
}

/** Returns a message that skills are switched off, by what, and what to do. Undefined: they are not. */
export function switchedOff({ enabled, file = '' }: Configuration, { folder, env }: Context): string | undefined {
  if (enabled) return undefined
  if (env['REPERTOIRE_ENABLED'])
    return 'Skills are switched off by REPERTOIRE_ENABLED in the environment. Unset it to have them.'
  return `Skills are switched off: "enabled" is false in ${shownPath(file, folder)}. Remove it there, or ignore the file with --no-config.`
}
