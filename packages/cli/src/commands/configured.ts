import { type ConfigurationProblem, type ListingStyle, type Profile, isSkillError } from '@repertoire/core'
import { type Configuration, type ConfigurationOptions, loadConfiguration } from '@repertoire/core/node'
import { isAbsolute, join, resolve } from 'node:path'
import type { Context } from '../context.ts'
import type { Finding } from '../finding.ts'
import { diagnosticsText } from '../output/diagnostics.ts'
import { UsageError } from '../usage-error.ts'
import { type BudgetOptions, budgetOf } from './viewer.ts'

/** Command-line options that a configuration can set, too; absent: not set. */
export interface SettingOptions extends BudgetOptions {
  /** The user's file; false: no file is read. */
  readonly config?: string | false | undefined
  readonly profile?: Profile | undefined
  readonly style?: ListingStyle | undefined
  readonly followLinks?: true | undefined
  /** What a skill may at most name, in place of what is configured. */
  readonly admit?: readonly string[] | undefined
}

/** The layers with folders of users, whose links `--follow-links` trusts. */
const LINKED_LAYERS = ['enterprise', 'personal', 'project'] as const

/**
 * Returns the configuration of a host in the current folder, in which command-line options take precedence. Undefined:
 * it is
 * invalid, and stderr says why.
 * @throws {UsageError} if the name of the file is empty
 */
export async function configurationFor(given: SettingOptions, context: Context): Promise<Configuration | undefined> {
  const { folder } = context
  const loaded = await loadOrReport(loadOptions(given, context), context)
  if (loaded === undefined) return undefined
  const configuration = given.config === false ? inProject(loaded, folder) : loaded
  const { profile, style } = given
  const listingBudget = budgetOf(given, configuration.listingBudget)
  const chosen: Partial<Configuration> = {
    ...(profile !== undefined && { profile }),
    ...(style !== undefined && { style }),
    ...(listingBudget !== undefined && { listingBudget }),
    ...(given.followLinks && { followLinks: [...new Set([...LINKED_LAYERS, ...configuration.followLinks])] }),
  }
  const origins = Object.fromEntries(Object.keys(chosen).map((key) => [key, { from: 'code' }] as const))
  // A command shows the current state and ends, so nothing is watched.
  return { ...configuration, ...chosen, origins: { ...configuration.origins, ...origins }, watch: false }
}

/** A profile, and the project's file if it comes from there. */
export interface ValidationProfile {
  readonly profile: Profile
  readonly from?: string
}

/**
 * Returns the profile for validating files: the given one, otherwise that of the project's file, which is the same for
 * everybody who has the files. Undefined: that file is invalid, and stderr says why.
 */
export async function validationProfile(
  given: Profile | undefined,
  context: Context,
): Promise<ValidationProfile | undefined> {
  if (given !== undefined) return { profile: given }
  const loaded = await loadOrReport({ file: false, project: context.folder, env: {} }, context)
  if (loaded === undefined) return undefined
  const { profile, origins } = loaded
  const { at } = origins.profile
  return { profile, ...(at !== undefined && { from: at }) }
}

function loadOptions({ config, admit }: SettingOptions, { folder, env }: Context): ConfigurationOptions {
  const overrides = admit === undefined ? {} : { admit: { tools: admit } }
  if (config === '') throw new UsageError('The name of the configuration file is empty. Name one, or give --no-config.')
  if (config === false) return { file: false, env, overrides }
  const named = config ?? (env['REPERTOIRE_CONFIG'] || undefined)
  return { project: folder, env, overrides, ...(named !== undefined && { file: resolve(folder, named) }) }
}

/** Without its file, a project still has its usual places. */
function inProject(configuration: Configuration, folder: string): Configuration {
  const { folders, roots, origins } = configuration
  if (origins['roots.project'].from !== 'default') return { ...configuration, project: folder }
  return { ...configuration, project: folder, roots: { ...roots, project: folders.map((name) => join(folder, name)) } }
}

async function loadOrReport(
  options: ConfigurationOptions,
  { stderr, folder }: Context,
): Promise<Configuration | undefined> {
  try {
    return await loadConfiguration(options)
  } catch (error) {
    if (!isSkillError(error) || error.code !== 'CONFIGURATION_INVALID') throw error
    const problems = sortedByFile(error.problems ?? [])
    const { paint } = stderr
    const text = diagnosticsText(problems.map(diagnosticOf), { paint, folder, limit: MAX_SHOWN, more: '' })
    const inFile = problems.some(({ at }) => at !== undefined && isAbsolute(at))
    const hint = inFile && options.file !== false ? IGNORE_FILES_HINT : ''
    await stderr.write(`${paint.red(paint.bold('error:'))} The configuration is invalid.${hint}\n\n${text}`)
    return undefined
  }
}

/** Each file from its top, in the order of the places. */
function sortedByFile(problems: readonly ConfigurationProblem[]): readonly ConfigurationProblem[] {
  const places = [...new Set(problems.map(({ at }) => at))]
  return problems.toSorted((a, b) => places.indexOf(a.at) - places.indexOf(b.at) || (a.line ?? 0) - (b.line ?? 0))
}

const MAX_SHOWN = 50
const IGNORE_FILES_HINT = ' Use --no-config to ignore its files.'

function diagnosticOf({ key, message, at = 'the options', line }: ConfigurationProblem): Finding {
  const sentence = `${key === '' ? 'The file' : `"${key}"`} ${message}`
  return {
    code: 'CONFIGURATION_INVALID',
    severity: 'error',
    path: at,
    ...(line !== undefined && { line }),
    message: /[.?!]$/.test(sentence) ? sentence : `${sentence}.`,
  }
}
