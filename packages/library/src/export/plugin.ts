import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { showName, SkillError, type SkillFiles } from '@repertoire/core'
import { checkOptions, flag, type OptionTable, required, text, withDefault } from '@repertoire/core/options'
import { resolveOrigin } from '../origins/resolve.ts'
import { isSystemError, systemCodeOf } from '../system-code.ts'
import { EXPORT_OPTIONS, type ExportableSkill, type ExportOptions, readExportable } from './exportable.ts'
import { type ExportedSkill, lossesOf } from './losses.ts'

/** Options of `exportPlugin`. */
export interface PluginExportOptions extends ExportOptions {
  /** The plugin's folder: one that does not exist, is empty, or is an export that nobody has changed. */
  readonly output: string
  /** The plugin's name: `a` to `z`, digits, `-` and `.`. Default: that of the folder. */
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** The plugin's version. Default `0.0.0`. */
  readonly version?: string | undefined
  /** Whether to check everything and write nothing. Default false. */
  readonly dryRun?: boolean | undefined
}

const OPTIONS: OptionTable<PluginExportOptions> = {
  ...EXPORT_OPTIONS,
  output: required(text),
  name: text,
  description: text,
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

/** Lists the digests of all other files, so that a later export knows its own. */
const RECORD = '.repertoire-export.json'

/**
 * Writes the skills of a project as a plugin for coding agents: those that are admitted and as the lock has them, all or
 * none. It is a plugin of Agent Plugins 1.0 and of Claude Code, and a marketplace of itself. The folder is complete when it
 * appears, and what was written is read back before.
 * @throws {SkillError} SKILL_NOT_FOUND, RESOURCE_REFUSED (not admitted), LOCK_MISMATCH, LOCK_MISSING, LOCK_INVALID,
 * MANIFEST_INVALID (the name), FOLDER_NOT_WRITABLE (files of others are there, or it cannot be written)
 */
export async function exportPlugin(options: PluginExportOptions): Promise<PluginExport> {
  checkOptions('exportPlugin', OPTIONS, options)
  const { output, name: given, description, version = '0.0.0', dryRun = false, ...chosen } = options
  const folder = resolve(output)
  const name = given ?? basename(folder).toLowerCase()
  if (!PLUGIN_NAME.test(name)) {
    const message = `A plugin cannot be named ${JSON.stringify(name)}. Use a to z, digits, "-" and ".", and begin and end with a letter or a digit.`
    throw new SkillError('MANIFEST_INVALID', message)
  }
  const skills = await readExportable('exportPlugin', chosen)
  writing(folder, () => refuseForeign(folder))
  const about =
    description ??
    `${skills.length === 1 ? 'The skill' : 'The skills'} ${skills.map(({ manifest }) => manifest.name).join(', ')}.`
  const files = pluginFiles(skills, { name, version, description: about })
  if (!dryRun) await write(folder, files, skills)
  return {
    folder,
    written: !dryRun,
    paths: [...files.keys()],
    exported: skills.map((skill) => ({
      name: skill.manifest.name,
      files: [...skill.files.keys()],
      lost: lossesOf(skill, 'plugin'),
    })),
  }
}

interface PluginManifest {
  readonly name: string
  readonly version: string
  readonly description: string
}

function pluginFiles(skills: readonly ExportableSkill[], manifest: PluginManifest): SkillFiles {
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
  const digests = Object.fromEntries([...files].map(([path, { bytes }]) => [path, sha256(bytes)]))
  json(RECORD, { version: 1, files: digests })
  return files
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** @throws {SkillError} FOLDER_NOT_WRITABLE: there is something that no export has written */
function refuseForeign(folder: string): void {
  const refuse = (reason: string): SkillError =>
    new SkillError(
      'FOLDER_NOT_WRITABLE',
      `Nothing is written to ${showName(folder)}: ${reason} Choose another folder.`,
      {
        path: folder,
      },
    )
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isDirectory()) throw refuse(`it is a ${stats.isSymbolicLink() ? 'link' : 'file'}.`)
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  if (entries.length === 0) return
  const record = recordIn(folder)
  if (record === undefined) throw refuse('it has files that no export has written.')
  const folders = new Set([...record.keys()].flatMap((path) => foldersOf(path)))
  const foreign = entries.find((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (entry.isDirectory()) return !folders.has(path)
    if (!entry.isFile()) return true
    return path !== RECORD && (!record.has(path) || sha256(readFileSync(join(folder, path))) !== record.get(path))
  })
  if (foreign !== undefined) throw refuse(`${showName(foreign.name)} is not as the export has written it.`)
}

/** The folders that a path leads through. */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

function recordIn(folder: string): ReadonlyMap<string, unknown> | undefined {
  try {
    const { files } = JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as { readonly files: object }
    return new Map(Object.entries(files))
  } catch {
    return undefined
  }
}

/** Writes a folder beside the other, reads it back, and puts it in the other's place. */
async function write(folder: string, files: SkillFiles, skills: readonly ExportableSkill[]): Promise<void> {
  const beside = writing(folder, () => {
    mkdirSync(dirname(folder), { recursive: true })
    return mkdtempSync(join(realpathSync(dirname(folder)), '.repertoire-export-'))
  })
  try {
    const staged = join(beside, basename(folder))
    writing(folder, () => {
      for (const [path, { bytes, executable }] of files) {
        const file = join(staged, path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, bytes, { flag: 'wx' })
        chmodSync(file, executable === true ? 0o755 : 0o644)
      }
    })
    await readBack(staged, skills)
    writing(folder, () => {
      // Others may have written there meanwhile.
      refuseForeign(folder)
      replace(folder, staged, join(beside, 'former'))
    })
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}

/** @throws {SkillError} FOLDER_NOT_WRITABLE where the system does not let it */
function writing<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isSystemError(error)) throw error
    const message = `The plugin is not written to ${showName(folder)} (${systemCodeOf(error)}). Check the path and its permissions.`
    throw new SkillError('FOLDER_NOT_WRITABLE', message, { path: folder, cause: error })
  }
}

function replace(folder: string, staged: string, former: string): void {
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined
  if (isThere) renameSync(folder, former)
  try {
    renameSync(staged, folder)
  } catch (error) {
    if (isThere) renameSync(former, folder)
    throw error
  }
}

/** @throws {SkillError} RESOURCE_REFUSED: others would read something else */
async function readBack(staged: string, skills: readonly ExportableSkill[]): Promise<void> {
  const { skills: found } = await (await resolveOrigin(staged)).fetch()
  const isSame = skills.every(({ manifest, files }) => {
    const other = found.find(({ name }) => name === manifest.name)
    return other?.files.size === files.size && [...files].every(([path, file]) => isEqual(file, other.files.get(path)))
  })
  if (isSame && found.length === skills.length) return
  const message = 'The plugin is not written: what was written does not read as the skills that are exported.'
  throw new SkillError('RESOURCE_REFUSED', message, { path: staged })
}

type File = SkillFiles extends ReadonlyMap<string, infer Each> ? Each : never

function isEqual(one: File, other: File | undefined): boolean {
  return (
    other !== undefined &&
    Buffer.compare(one.bytes, other.bytes) === 0 &&
    (one.executable ?? false) === (other.executable ?? false)
  )
}
