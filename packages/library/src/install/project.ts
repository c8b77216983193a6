import { checkOptions, flag, number, required, text, type OptionTable, withDefault } from '@repertoire/core/options'
import { lstatSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { showName, SkillError } from '@repertoire/core'
import { LOCK_TIMEOUT_MS } from '../file-lock.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import { isClientFolder, SKILLS_FOLDER, type SkillsLock } from '../lock/skills-lock.ts'
import { systemCodeOf } from '../system-code.ts'

/** The project whose skills are installed, and where in it. */
export interface ProjectOptions {
  /** The folder with `skills-lock.json`; with `user`, a person's home folder. */
  readonly project: string
  /**
   * Where the skills' folders are, inside the project. Its last part is `skills`. Default: where its lock has them, and
   * `.agents/skills` as long as it has none.
   */
  readonly folder?: string | undefined
  /**
   * Whether the skills are for all projects of a person: in `.agents/skills` of the home folder, and `skills-lock.json`
   * beside them in `.agents`. Default false.
   */
  readonly user?: boolean | undefined
  /** How long a write waits for other writers, in milliseconds. Default 30,000. */
  readonly timeout?: number | undefined
}

/** The options of every function that works on a project. */
export const PROJECT_OPTIONS: OptionTable<ProjectOptions> = {
  project: required(text),
  folder: text,
  user: withDefault(false, flag),
  timeout: withDefault(30_000, number('milliseconds', { from: 0 })),
}

/** Where the skills of a project are, and their lock. Absolute paths. */
export interface ProjectFolders {
  /** The folder with `skills-lock.json`. */
  readonly project: string
  /** The folder with the skills' folders. */
  readonly folder: string
}

/** A project that skills are written to. */
export interface Project extends ProjectFolders {
  /** The folder below which the folders of other clients are. */
  readonly clients: string
  /** The folder of the skills as the lock has it: undefined if it is the usual one. */
  readonly lockedFolder: string | undefined
  readonly isUser: boolean
  readonly timeout: number
}

/** @throws {TypeError} the folder does not lie in the project, or is no folder for skills */
function resolveProject({
  project,
  folder = SKILLS_FOLDER,
  user: isUser = false,
  timeout = LOCK_TIMEOUT_MS,
}: ProjectOptions): Project {
  const root = resolve(project)
  const inside = join(root, folder)
  const way = relative(root, inside)
  if (isAbsolute(folder) || way.split(sep)[0] === '..' || isAbsolute(way)) {
    throw new TypeError(`The folder for skills lies inside the project, and not in ${JSON.stringify(folder)}.`)
  }
  if (isUser && folder !== SKILLS_FOLDER) {
    throw new TypeError(`The skills of a user are in ${SKILLS_FOLDER}: \`user\` and \`folder\` exclude each other.`)
  }
  const named = way.split(sep).join('/')
  if (!isClientFolder(named)) {
    throw new TypeError(
      `A folder for skills is called "skills", as ${SKILLS_FOLDER} is, and not ${JSON.stringify(folder)}.`,
    )
  }
  return {
    project: isUser ? join(root, '.agents') : root,
    folder: inside,
    clients: root,
    lockedFolder: named === SKILLS_FOLDER ? undefined : named,
    isUser,
    timeout,
  }
}

/**
 * Returns where the skills of a project are, and its lock. Without a folder in the options, as the lock has it.
 * @throws {SkillError} LOCK_INVALID; RESOURCE_NOT_FOUND: no such project; RESOURCE_REFUSED: a file or link instead
 * @throws {TypeError} the folder does not lie in the project
 */
export async function locateProject(options: ProjectOptions): Promise<ProjectFolders> {
  checkOptions('locateProject', PROJECT_OPTIONS, options)
  const { project, folder } = await findProject(options)
  return { project, folder }
}

/** As `locateProject`, with what a writer needs to know. */
export async function findProject(options: ProjectOptions): Promise<Project> {
  const isGiven = options.folder !== undefined || options.user === true
  const folder = isGiven ? options.folder : folderOf(await readSkillsLock(options.project))
  const project = resolveProject({ ...options, folder })
  requireFolder(project.clients)
  refuseLinks(project.clients, project.folder)
  return project
}

/** A project that is missing is a wrong path: a comparison would find nothing wrong in it. */
function requireFolder(path: string): void {
  const stats = statsAt(path, statSync)
  if (stats?.isDirectory() === true) return
  const what = stats === undefined ? 'There is no folder' : 'This is a file and no folder:'
  const message = `${what} ${showName(path)}. Name the folder with skills-lock.json, or make it first.`
  throw new SkillError(stats === undefined ? 'RESOURCE_NOT_FOUND' : 'RESOURCE_REFUSED', message, { path })
}

/**
 * Refuses a link or a file on the way from a folder to one below it. A link leads a write, or a comparison, to files
 * that are not the project's. The project's own folder may be reached through links: they are the caller's.
 * @throws {SkillError} RESOURCE_REFUSED
 */
export function refuseLinks(from: string, to: string): void {
  const problem = problemOnTheWay(from, to)
  if (problem !== undefined) throw new SkillError('RESOURCE_REFUSED', `Nothing was written: ${problem}`, { path: to })
}

/** Why a folder below another one is not used: it, or one on the way, is a link or a file. */
export function problemOnTheWay(from: string, to: string): string | undefined {
  const parts = relative(from, to).split(sep)
  for (const index of parts.keys()) {
    const path = join(from, ...parts.slice(0, index + 1))
    const stats = statsAt(path, lstatSync)
    if (stats?.isDirectory() !== false) continue
    return `${showName(path)} is ${stats.isSymbolicLink() ? 'a link, and is not followed' : 'not a folder'}. Put a folder there.`
  }
  return undefined
}

/** Returns undefined for a path that does not exist, also since a part of it is a file. */
function statsAt(path: string, read: typeof statSync): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false })
  } catch (error) {
    if (systemCodeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/**
 * Refuses another folder than that of the lock: an installation would have to look in each otherwise.
 * @throws {SkillError} STORE_CONFLICT
 */
export function refuseOtherFolder(lock: SkillsLock, { project, folder, isUser }: Project): void {
  const locked = folderOf(lock)
  if (isUser || locked === undefined || join(project, locked) === folder) return
  const message = `Nothing was written. The skills of this project are in ${locked}, and a project has one folder for them. Add these there, too; for another client, ask for a link in its folder with --link (in code: \`also\`).`
  throw new SkillError('STORE_CONFLICT', message)
}

/** Where a lock has its skills. Undefined: it has none with digests. */
function folderOf({ skills }: SkillsLock): string | undefined {
  const pinned = [...skills.values()].find(({ repertoire }) => repertoire !== undefined)
  return pinned && (pinned.repertoire?.folder ?? SKILLS_FOLDER)
}
