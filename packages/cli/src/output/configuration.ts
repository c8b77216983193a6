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

/** Settings of where skills are found: unused if folders are named on the command line. */
const PLACE_KEYS: ReadonlySet<string> = new Set(['roots', 'skillsDir', 'folders', 'packages', 'trustProject'])

/**
 * The settings that count for what is shown.
 * @param places whether the places of the configuration were searched
 */
export function shownConfiguration({ file, given }: Configuration, places: boolean): ShownConfiguration {
  const counting = Object.entries(given).filter(([key]) => places || !PLACE_KEYS.has(key))
  return { file, settings: Object.fromEntries(counting) }
}

/** Returns a message that skills are switched off, by what, and what to do. Undefined: they are not. */
export function switchedOff({ enabled, file = '' }: Configuration, { folder, env }: Context): string | undefined {
  if (enabled) return undefined
  if (env['REPERTOIRE_ENABLED'])
    return 'Skills are switched off by REPERTOIRE_ENABLED in the environment. Unset it to have them.'
  return `Skills are switched off: "enabled" is false in ${shownPath(file, folder)}. Remove it there, or ignore the file with --no-config.`
}
