import { anyText, either, foreign, recordOf, text, variables } from '../../options/kinds.ts'
import { checkOptions, isObject, type OptionTable } from '../../options/table.ts'
import { copyDefaults, type EnsureDefaultsOptions, type EnsuredDefaults } from './copy-defaults.ts'

const fileKind = either(
  anyText,
  foreign('bytes', (value) => value instanceof Uint8Array),
)

const ENSURE_DEFAULTS_OPTIONS: OptionTable<EnsureDefaultsOptions> = {
  folder: text,
  configuration: foreign(
    'a configuration, as from `loadConfiguration`',
    (value) => isObject(value) && 'roots' in value,
  ),
  skills: recordOf(recordOf(fileKind), 'an object of skills, each an object of files by their paths'),
  env: variables,
}

/**
 * Copies skills into the user's folder, where a person can change them. Whatever already exists under a skill's name is
 * left unchanged. Each skill appears completely or not at all, even after a crash or if several processes do this at
 * once. Names that begin with a dot are skipped. A file that begins with `#!` becomes executable.
 *
 * The default folder belongs to this library only: in `~/.agents/skills`, every other client would see the skills. A
 * skill that exists there under the same name counts as existing, and is not copied.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} FOLDER_NOT_WRITABLE (no home folder, no permission, no space)
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED for a path in `skills` that leads out or is hidden
 */
export async function ensureDefaults(options: EnsureDefaultsOptions = {}): Promise<EnsuredDefaults> {
  checkOptions('ensureDefaults', ENSURE_DEFAULTS_OPTIONS, options)
  return copyDefaults(options)
}
