import { type Profile, isSkillError } from '@repertoire/core'
import { type Configuration, type ConfigurationOptions, loadConfiguration } from '@repertoire/core/node'
import { join, resolve } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../usage-error.ts'

/** Command-line options that a configuration can set, too; absent: not set. */
export interface SettingOptions {
  /** The user's file; false: no file is read. */
  readonly config?: string | false | undefined
  readonly profile?: Profile | undefined
  readonly followLinks?: true | undefined
  /** What a skill may at most name, in place of what is configured. */
  readonly admit?: readonly string[] | undefined
}

/** The layers with folders of users, whose links `--follow-links` trusts. */
const LINKED_LAYERS = ['enterprise', 'personal', 'project'] as const

/**
 * Returns the configuration of a host in the current folder, in which command-line options take precedence.
 * @throws {UsageError} it is invalid, or the name of the file is empty
 */
export async function configurationFor(given: SettingOptions, context: Context): Promise<Configuration> {
  const loaded = await load(loadOptions(given, context))
  const configuration = given.config === false ? inProject(loaded, context.folder) : loaded
  return {
    ...configuration,
    profile: given.profile ?? configuration.profile,
    followLinks: given.followLinks ? [...LINKED_LAYERS, ...configuration.followLinks] : configuration.followLinks,
  }
}

function loadOptions({ config, admit }: SettingOptions, { folder, env }: Context): ConfigurationOptions {
  const overrides = admit === undefined ? {} : { admit: { tools: admit } }
  if (config === '') throw new UsageError('The name of the configuration file is empty. Name one, or give --no-config.')
  if (config === false) return { file: false, env, overrides }
  return { project: folder, env, overrides, file: config === undefined ? undefined : resolve(folder, config) }
}

/** Without its file, a project still has its usual places. */
function inProject(configuration: Configuration, folder: string): Configuration {
  const { folders, roots } = configuration
  return { ...configuration, project: folder, roots: { ...roots, project: folders.map((name) => join(folder, name)) } }
}

async function load(options: ConfigurationOptions): Promise<Configuration> {
  try {
    return await loadConfiguration(options)
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'CONFIGURATION_INVALID') throw error
    const hint = error.path === undefined ? '' : ' Use --no-config to ignore the file.'
    throw new UsageError(error.message + hint, { code: error.code, cause: error })
  }
}
