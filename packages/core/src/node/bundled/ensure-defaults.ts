import { lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { BUNDLED_SKILLS } from '../../../bundled/skills.generated.js'
import { type MemoryFile, bytesOf, isExecutable, memorySkills } from '../../catalog/memory-source.ts'
import { SkillError, text, variables, checkOptions, type OptionTable, showName } from '@repertoire/skill-md/internal'
import { pathProblem, quoted, resourceParts } from '../../resources/path.ts'
import { errorCode } from '../folder/open-error.ts'
import { type Environment, homeFolder, WRITTEN_FOLDER } from '../sources/standard-folders.ts'
import { byText } from '../../text/order.ts'

/** Options of `ensureDefaults`. */
export interface EnsureDefaultsOptions {
  /**
   * The folder to write to, created if it is missing, such as the `writeRoot` of a configuration. Default
   * `~/.repertoire/skills`.
   */
  readonly folder?: string | undefined
  /** Folder name → relative path → content. Default: the skills that ship inside this package. */
  readonly skills?: Readonly<Record<string, Readonly<Record<string, MemoryFile>>>> | undefined
  /** The environment to read instead of the process's own. */
  readonly env?: Environment | undefined
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

const ENSURE_DEFAULTS_OPTIONS: OptionTable<EnsureDefaultsOptions> = {
  folder: text,
  skills: memorySkills,
  env: variables,
}

/**
 * Copies skills into the user's folder, where a person can change them. Whatever already exists under a skill's name is
 * left unchanged. Each skill appears completely or not at all, even after a crash or if several processes do this at
 * once. Names that begin with a dot are skipped. A file that begins with `#!`, or is given as executable, becomes
 * executable.
 *
 * The default folder belongs to this library only: in `~/.agents/skills`, every other client would see the skills.
 * @throws {TypeError} an option is unknown or has the wrong type
 * @throws {SkillError} FOLDER_NOT_WRITABLE (no home folder, no permission, no space)
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED for a path in `skills` that leads out or is hidden
 */
export async function ensureDefaults(options: EnsureDefaultsOptions = {}): Promise<EnsuredDefaults> {
  checkOptions('ensureDefaults', ENSURE_DEFAULTS_OPTIONS, options)
  const skills = options.skills ?? BUNDLED_SKILLS
  const folder = await targetOf(options)
  const skillFiles = Object.entries(skills)
    .filter(([name]) => !name.startsWith('.'))
    .toSorted(byText(([name]) => name))
    .map(([name, files]) => ({ name, files: checkedFiles(name, files) }))
  const copied: string[] = []
  const kept: string[] = []
  for (const { name, files } of skillFiles) {
    const isCopied = !(await isThere(join(folder, name))) && (await copy(folder, name, files))
    if (isCopied) copied.push(name)
    else kept.push(join(folder, name))
  }
  return { folder, copied, kept }
}

async function targetOf({ folder, env }: EnsureDefaultsOptions): Promise<string> {
  if (folder !== undefined) return resolve(folder)
  const home = homeFolder(env)
  if (home === false) throw notWritable(undefined, 'this user has no home folder. Pass the folder.')
  // The home folder of a service may not exist on purpose, so it is not created.
  if (!(await stat(home).catch(() => undefined))?.isDirectory()) {
    throw notWritable(home, `the home folder ${home} is not there. Make it, or pass the folder.`)
  }
  return join(home, WRITTEN_FOLDER)
}

interface CheckedFile {
  readonly parts: readonly string[]
  readonly file: MemoryFile
}

function checkedFiles(name: string, files: Readonly<Record<string, MemoryFile>>): readonly CheckedFile[] {
  const problem = name.includes('/') ? 'it holds a "/"' : pathProblem(name)
  if (problem !== undefined) {
    throw new SkillError(
      'RESOURCE_PATH_INVALID',
      `${quoted(name)} is not a valid name for a skill's folder: ${problem}.`,
    )
  }
  return Object.entries(files).map(([path, file]) => ({ parts: resourceParts(path, name), file }))
}

/** Returns whether the skill was copied: it is not if its name exists by now. */
async function copy(folder: string, name: string, files: readonly CheckedFile[]): Promise<boolean> {
  let staging: string | undefined
  try {
    await mkdir(folder, { recursive: true })
    // Beside the target, so that it can be renamed on the same file system; hidden, so that no scan sees it unfinished.
    staging = await mkdtemp(join(folder, '.repertoire-'))
    const staged = join(staging, name)
    await mkdir(staged)
    for (const { parts, file } of files) await writeNew(join(staged, ...parts), file)
    return await moveTo(staged, join(folder, name))
  } catch (error) {
    throw notWritable(
      folder,
      `${quoted(name)} could not be written to ${showName(folder)} (${errorCode(error)}). ${REMEDY}`,
      error,
    )
  } finally {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true })
  }
}

const REMEDY = 'Give this user the right to write there, make room, or pass another folder.'

async function writeNew(path: string, file: MemoryFile): Promise<void> {
  const bytes = bytesOf(file)
  const isProgram = isExecutable(file) || (bytes[0] === 0x23 && bytes[1] === 0x21)
  await mkdir(dirname(path), { recursive: true })
  // Flushed, since the name must not reach the disk before the content.
  await writeFile(path, bytes, { mode: isProgram ? 0o755 : 0o644, flag: 'wx', flush: true })
}

/**
 * Renames the copy unless the target exists. Renaming a folder replaces neither a file nor a folder with content; it
 * would replace an empty folder that was created just now, which loses nothing.
 */
async function moveTo(staged: string, target: string): Promise<boolean> {
  try {
    await rename(staged, target)
    return true
  } catch (error) {
    if (await isThere(target)) return false
    throw error
  }
}

/** One that cannot be examined counts as missing: writing to it will fail. */
async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}

function notWritable(path: string | undefined, reason: string, cause?: unknown): SkillError {
  return new SkillError('FOLDER_NOT_WRITABLE', `No skill was copied: ${reason}`, {
    path,
    cause,
  })
}
