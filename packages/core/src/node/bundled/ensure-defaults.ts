import { anyText, either, foreign, recordOf, text, variables } from '../../options/kinds.ts'
import { checkOptions, isObject, type OptionTable } from '../../options/table.ts'
import type { Configuration } from '../configuration/settings.ts'
import type { Environment } from '../sources/standard-folders.ts'
import { copyDefaults } from './copy-defaults.ts'

/** Options of `ensureDefaults`. */
export interface EnsureDefaultsOptions {
  /** The folder to write to, created if it is missing. Default: that of `configuration`, or `~/.repertoire/skills`. */
  readonly folder?: string
  /** Names the folder to write to. A skill counts as existing if it is in any of its personal folders. */
  readonly configuration?: Pick<Configuration, 'writeRoot' | 'roots'>
  /** Folder name → relative path → content. Default: the skills that ship inside this package. */
  readonly skills?: Readonly<Record<string, Readonly<Record<string, string | Uint8Array>>>>
  /** The environment to read instead of the process's own. */
  readonly env?: Environment
}

/** What `ensureDefaults` did. */
export interface EnsuredDefaults {
  /** Absolute. */
  readonly folder: string
  /** Names of the skills that were written, in code-unit order. */
  readonly copied: readonly string[]
  /** Paths that already existed and were left unchanged, of any kind: a folder, a file, a link. */
  readonly kept: readonly string[]
}

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
