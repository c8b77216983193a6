import { isSkillError } from '@repertoire/core'
import { type Configuration, type ConfigurationOptions, loadConfiguration } from '@repertoire/core/node'
import { resolve } from 'node:path'
import type { Context } from '../context.ts'
import { UsageError } from '../usage-error.ts'

/** Command-line options that a configuration can set, too; absent: not set. */
export interface SettingOptions {
  /** The user's file; false: no file is read. */
  readonly config?: string | false | undefined
}

/**
 * Returns the configuration of a host in the current folder, in which command-line options take precedence.
 * @throws {UsageError} it is invalid, or the name of the file is empty
 */
export async function configurationFor({ config }: SettingOptions, { folder, env }: Context): Promise<Configuration> {
  if (config === '') throw new UsageError('The name of the configuration file is empty. Name one, or give --no-config.')
  const file = typeof config === 'string' ? resolve(folder, config) : config
  const configuration = await load({ project: folder, env, file })
  return file === false ? { ...configuration, diagnostics: [] } : configuration
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
