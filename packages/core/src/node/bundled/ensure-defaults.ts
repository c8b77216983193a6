import { lstat, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { SkillError } from '../../errors.ts'
import { pathProblem, quoted, resourceParts } from '../../resources/path.ts'
import type { Configuration } from '../configuration/settings.ts'
import { errorCode } from '../folder/open-failure.ts'
import { STANDARD_FOLDERS, WRITTEN_FOLDER, homeFolder } from '../sources/standard-folders.ts'
import type { Environment } from '../sources/standard-folders.ts'

/** Options of `ensureDefaults`. */
export interface EnsureDefaultsOptions {
  /** The folder that is written to, made if it is not there. Default: that of `configuration`, or `~/.repertoire/skills`. */
  readonly folder?: string
  /** Gives the folder that is written to. A skill counts as existing in each of its personal folders. */
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
  /** Paths of what was there already and was left as it is, whatever it is: a folder, a file, a link. */
  readonly kept: readonly string[]
}

/**
 * Copies skills into the user's folder, where a person can change them. What stands under a skill's name already is
 * never touched. Each skill appears as a whole or not at all, also after a crash and where several processes do this at
 * once. Names that begin with a dot are passed over. A file that begins with `#!` gets the run bit.
 *
 * The default folder is the one of this library alone: in `~/.agents/skills`, every other client would see the skills.
 * A skill of the same name there is kept all the same, and then not copied.
 * @throws {SkillError} FOLDER_NOT_WRITABLE (no home folder, no permission, no space)
 * @throws {SkillError} RESOURCE_PATH_INVALID, RESOURCE_REFUSED for a path in `skills` that leads out or is hidden
 */
export async function ensureDefaults(options: EnsureDefaultsOptions = {}): Promise<EnsuredDefaults> {
  const skills = options.skills ?? (await import('../../bundled/skills.ts')).BUNDLED_SKILLS
  const { folder, known } = await places(options)
  const wanted = Object.entries(skills)
    .filter(([name]) => !name.startsWith('.'))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, files]) => ({ name, files: checkedFiles(name, files) }))
  const copied: string[] = []
  const kept: string[] = []
  for (const { name, files } of wanted) {
    const existing = await firstExisting([folder, ...known].map((place) => join(place, name)))
    if (existing !== undefined) kept.push(existing)
    else if (await copy(folder, name, files)) copied.push(name)
    else kept.push(join(folder, name))
  }
  return { folder, copied, kept }
}

interface Places {
  readonly folder: string
  /** Where else a skill counts as existing. */
  readonly known: readonly string[]
}

async function places({ folder, configuration, env }: EnsureDefaultsOptions): Promise<Places> {
  if (folder !== undefined) return { folder: resolve(folder), known: [] }
  if (configuration !== undefined) {
    const { writeRoot, roots } = configuration
    if (writeRoot === false)
      throw notWritable(undefined, 'the configuration names no folder to write to. Set writeRoot.')
    return { folder: writeRoot, known: roots.personal }
  }
  const home = homeFolder(env)
  if (home === false) throw notWritable(undefined, 'this user has no home folder. Pass the folder.')
  // A home folder that is only named, as that of a service, is nothing to be made in passing.
  if (!(await stat(home).catch(() => undefined))?.isDirectory()) {
    throw notWritable(home, `the home folder ${home} is not there. Make it, or pass the folder.`)
  }
  return { folder: join(home, WRITTEN_FOLDER), known: STANDARD_FOLDERS.map((name) => join(home, name)) }
}

interface CheckedFile {
  readonly parts: readonly string[]
  readonly content: string | Uint8Array
}

function checkedFiles(name: string, files: Readonly<Record<string, string | Uint8Array>>): readonly CheckedFile[] {
  const problem = name.includes('/') ? 'it holds a "/"' : pathProblem(name)
  if (problem !== undefined) {
    throw new SkillError('RESOURCE_PATH_INVALID', `${quoted(name)} is not a name of a skill's folder: ${problem}.`)
  }
  return Object.entries(files).map(([path, content]) => ({ parts: resourceParts(path, name), content }))
}

/** Whether the skill was copied: if something stands under its name by now, it was not. */
async function copy(folder: string, name: string, files: readonly CheckedFile[]): Promise<boolean> {
  let workshop: string | undefined
  try {
    await makeFolder(folder)
    // Beside the target, so that the renaming stays on one file system; hidden, so that no scan sees it half made.
    workshop = await mkdtemp(join(folder, '.repertoire-'))
    const made = join(workshop, name)
    await mkdir(made)
    for (const { parts, content } of files) await writeOut(join(made, ...parts), content)
    return await moveTo(made, join(folder, name))
  } catch (error) {
    throw notWritable(
      folder,
      `${quoted(name)} could not be written to ${folder} (${errorCode(error)}). ${REMEDY}`,
      error,
    )
  } finally {
    if (workshop !== undefined) await rm(workshop, { recursive: true, force: true })
  }
}

const REMEDY = 'Give this user the right to write there, make room, or pass another folder.'

/** Not `recursive`: below a folder that takes none, such as /proc, Node tries again without end. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if ((await stat(path).catch(() => undefined))?.isDirectory()) return
    const above = dirname(path)
    if (errorCode(error) !== 'ENOENT' || above === path) throw error
    await makeFolder(above)
    // Somebody else may have been quicker.
    await mkdir(path).catch(async (again: unknown) => {
      if (!(await stat(path).catch(() => undefined))?.isDirectory()) throw again
    })
  }
}

async function writeOut(path: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const isScript = bytes[0] === 0x23 && bytes[1] === 0x21
  await mkdir(dirname(path), { recursive: true })
  // Flushed, since the name must not reach the disk before what it stands for.
  await writeFile(path, bytes, { mode: isScript ? 0o755 : 0o644, flag: 'wx', flush: true })
}

/**
 * Renaming replaces no file and no folder that holds something. An empty folder that somebody makes in the moment
 * between the look and the renaming is the one thing that it would: nothing is lost with it.
 */
async function moveTo(made: string, target: string): Promise<boolean> {
  try {
    if ((await firstExisting([target])) !== undefined) return false
    await rename(made, target)
    return true
  } catch (error) {
    if ((await firstExisting([target])) !== undefined) return false
    throw error
  }
}

/** The first path under which anything stands. What cannot even be looked at is left to the writing to fail at. */
async function firstExisting(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    if ((await lstat(path).catch(() => undefined)) !== undefined) return path
  }
  return undefined
}

function notWritable(path: string | undefined, reason: string, cause?: unknown): SkillError {
  return new SkillError('FOLDER_NOT_WRITABLE', `No skill was copied: ${reason}`, {
    ...(path !== undefined && { path }),
    cause,
  })
}
