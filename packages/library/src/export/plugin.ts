import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { showName, SkillError, type SkillFiles } from '@repertoire/core'
import { checkOptions, flag, type OptionTable, required, text, withDefault } from '@repertoire/core/options'
import { isSystemError, systemCodeOf } from '../system-code.ts'
import { EXPORT_OPTIONS, type ExportableSkill, type ExportOptions, readExportable } from './exportable.ts'
import { type ExportedSkill, lossesOf } from './losses.ts'

/** Options of `exportPlugin`. */
export interface PluginExportOptions extends ExportOptions {
  /** The plugin's folder: empty, or none yet. Its name is the plugin's: letters, digits, `-` and `.`. */
  readonly output: string
  /** The plugin's version. Default `0.0.0`. */
  readonly version?: string | undefined
  /** Whether to check everything and write nothing. Default false. */
  readonly dryRun?: boolean | undefined
}

const OPTIONS: OptionTable<PluginExportOptions> = {
  ...EXPORT_OPTIONS,
  output: required(text),
  version: withDefault('0.0.0', text),
  dryRun: withDefault(false, flag),
}

/** A plugin that was written, or would be. */
export interface PluginExport {
  /** The plugin's folder, absolute. */
  readonly folder: string
  readonly written: boolean
  /** All of its files. */
  readonly paths: readonly string[]
  readonly exported: readonly ExportedSkill[]
}

/** What a plugin.json of Agent Plugins 1.0 calls itself. */
const PLUGIN_SCHEMA = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'

/** The names that a plugin may have. */
const PLUGIN_NAME = /^(?=.{1,64}$)(?!.*(?:--|\.\.))[a-z\d](?:[a-z\d.-]*[a-z\d])?$/

/**
 * Writes the skills of a project as a plugin for coding agents: those that are admitted and as the lock has them, all
 * or none. It is a plugin of Agent Plugins 1.0 and of Claude Code, and a marketplace of itself.
 * @throws {SkillError} SKILL_NOT_FOUND, RESOURCE_REFUSED (not admitted), LOCK_MISMATCH, LOCK_MISSING, LOCK_INVALID,
 * MANIFEST_INVALID (the name), FOLDER_NOT_WRITABLE (something is there, or it cannot be written)
 */
export async function exportPlugin(options: PluginExportOptions): Promise<PluginExport> {
  checkOptions('exportPlugin', OPTIONS, options)
  const { output, version = '0.0.0', dryRun = false, ...chosen } = options
  const folder = resolve(output)
  const name = basename(folder).toLowerCase()
  if (!PLUGIN_NAME.test(name)) {
    const message = `A plugin cannot be named ${JSON.stringify(name)}. Name its folder with a to z, digits, "-" and ".", and a letter or a digit at both ends.`
    throw new SkillError('MANIFEST_INVALID', message)
  }
  const skills = await readExportable('exportPlugin', chosen)
  const names = skills.map(({ manifest }) => manifest.name).join(', ')
  const description = `${skills.length === 1 ? 'The skill' : 'The skills'} ${names}.`
  const files = pluginFiles(skills, { name, version, description })
  writing(folder, () => {
    refuseTaken(folder)
    if (!dryRun) write(folder, files)
  })
  return {
    folder,
    written: !dryRun,
    paths: [...files.keys()],
    exported: skills.map((skill) => ({
      name: skill.manifest.name,
      files: [...skill.files.keys()],
      lost: lossesOf(skill),
    })),
  }
}

function pluginFiles(
  skills: readonly ExportableSkill[],
  manifest: { readonly name: string; readonly version: string; readonly description: string },
): SkillFiles {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly executable?: boolean }>()
  const json = (path: string, value: object): void => {
    files.set(path, { bytes: new TextEncoder().encode(`${JSON.stringify(value, undefined, 2)}\n`) })
  }
  const { name, description } = manifest
  json('plugin.json', { $schema: PLUGIN_SCHEMA, ...manifest })
  json('.claude-plugin/plugin.json', manifest)
  json('.claude-plugin/marketplace.json', { name, owner: { name }, plugins: [{ name, source: './', description }] })
  for (const { folderName, files: own } of skills) {
    for (const [path, file] of own) files.set(`skills/${folderName}/${path}`, file)
  }
  return files
}

/** @throws {SkillError} FOLDER_NOT_WRITABLE */
function refuseTaken(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || (stats.isDirectory() && readdirSync(folder).length === 0)) return
  const message = `Nothing is written to ${showName(folder)}: something is there already. Remove it, or choose another folder.`
  throw new SkillError('FOLDER_NOT_WRITABLE', message, { path: folder })
}

/** Writes what is not there yet. */
function write(folder: string, files: SkillFiles): void {
  for (const [path, { bytes, executable }] of files) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytes, { flag: 'wx', mode: executable === true ? 0o755 : 0o644 })
  }
}

/** @throws {SkillError} FOLDER_NOT_WRITABLE where the system does not let it */
function writing(folder: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isSystemError(error)) throw error
    const message = `The plugin is not whole in ${showName(folder)} (${systemCodeOf(error)}). Check the path, its permissions and the space on the disk, and remove what is there.`
    throw new SkillError('FOLDER_NOT_WRITABLE', message, { path: folder, cause: error })
  }
}
