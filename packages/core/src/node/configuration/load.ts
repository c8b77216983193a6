import { anything, recordOf, textOrOff, variables } from '../../options/kinds.ts'
import { checkOptions, type OptionTable } from '../../options/table.ts'
import type { Configuration } from './settings.ts'
import { readConfiguration, type ConfigurationOptions } from './read.ts'

const CONFIGURATION_OPTIONS: OptionTable<ConfigurationOptions> = {
  project: textOrOff,
  file: textOrOff,
  env: variables,
  overrides: recordOf(anything, 'an object of settings'),
}

/**
 * Loads the configuration. Later ones in this list take precedence: defaults, the user's file, the project's file, the
 * environment (`REPERTOIRE_…`), `overrides`. A project's file is read only if the project is trusted, and never permits
 * more: it may set `enabled`, `profile`, `style`, `packages` and `roots.project`, each only to narrow.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} CONFIGURATION_INVALID, with everything that is wrong in `problems`
 */
export async function loadConfiguration(options: ConfigurationOptions = {}): Promise<Configuration> {
  checkOptions('loadConfiguration', CONFIGURATION_OPTIONS, options)
  return readConfiguration(options)
}
