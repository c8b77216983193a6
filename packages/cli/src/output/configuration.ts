import type { Configuration } from '@repertoire/core/node'
import type { Context } from '../context.ts'
import { shownPath } from './path.ts'

/** Returns what a command shows of a configuration: the file that was read, and what it and the environment set. */
export function shownConfiguration({ file, given: settings }: Configuration) {
  return { file, settings }
}

/** Returns a message that skills are switched off, by what, and what to do. Undefined: they are not. */
export function switchedOff({ enabled, file = '' }: Configuration, { folder, env }: Context): string | undefined {
  if (enabled) return undefined
  if (env['REPERTOIRE_ENABLED'])
    return 'Skills are switched off by REPERTOIRE_ENABLED in the environment. Unset it to have them.'
  return `Skills are switched off: "enabled" is false in ${shownPath(file, folder)}. Remove it there, or ignore the file with --no-config.`
}
