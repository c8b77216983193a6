import { checkOptions, flag, number, required, text, type OptionTable, withDefault } from '@repertoire/core/options'
import { lstatSync, type Stats, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { showName, SkillError } from '@repertoire/core'
import { LOCK_TIMEOUT_MS } from '../file-lock.ts'
import { readSkillsLock } from '../lock/lock-file.ts'
import { isClientFolder, type SkillsLock } from '../lock/skills-lock.ts'

/** The folder of a project that every client looks in, and where skills are installed unless a host says otherwise. */
const SKILLS_FOLDER = '.agents/skills'

/** The project whose skills are installed, and where in it. */
export interface ProjectOptions {
  /** The folder with `skills-lock.json`; with `user`, a person's home folder. */
  readonly project: string
  /**
   * Where the skills' folders are, inside the project. Default: where its lock has them, and `.agents/skills` as long as it
   * has none, as the `skills` command has it.
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
  /** The folder of the skills as the lock has it: undefined where it is the usual one, or one that no lock may choose. */
  readonly lockedFolder: string | undefined
  /** Whether a later plan finds that folder by the lock. */
  readonly isRemembered: boolean
  readonly isUser: boolean
  readonly timeout: number
}

/** @throws {TypeError} the folder does not lie in the project */
export function resolveProject({
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
  return {
    project: isUser ? join(root, '.agents') : root,
    folder: inside,
    clients: root,
    lockedFolder: named !== SKILLS_FOLDER && isClientFolder(named) ? named : undefined,
    isRemembered: isClientFolder(named),
    isUser,
    timeout,
  }
}

/**
 * Finds the folders of a project: where the skills are, its lock says, unless the options name a folder. Reads, and changes
 * nothing.
 * @throws {SkillError} LOCK_INVALID; STORE_CONFLICT: the lock has skills in several folders; RESOURCE_NOT_FOUND: there is no
 * such project; RESOURCE_REFUSED: it, or a folder on the way, is a file or a link
 * @throws {TypeError} the folder does not lie in the project
 */
export async function locateProject(options: ProjectOptions): Promise<ProjectFolders> {
  checkOptions('locateProject', PROJECT_OPTIONS, options)
  const { project, folder } = await findProject(options)
  return { project, folder }
}

/** As `locateProject`, with what a writer needs to know. */
export async function findProject(options: ProjectOptions): Promise<Project> {
  const project = await resolveByLock(options)
  requireFolder(project.clients)
  refuseLinks(project)
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

async function resolveByLock(options: ProjectOptions): Promise<Project> {
  if (options.folder !== undefined || options.user === true) return resolveProject(options)
  const folder = folderOf(await readSkillsLock(options.project))
  return resolveProject({ ...options, ...(folder !== undefined && { folder }) })
}

/**
 * A link on the way to the skills leads a write, or a comparison, to files that are not the project's. The project's own
 * folder may be reached through links: they are the caller's. A file on the way is refused too.
 * @throws {SkillError} RESOURCE_REFUSED
 */
export function refuseLinks({ project, folder }: ProjectFolders): void {
  const link = linkOnTheWay(project, folder)
  if (link !== undefined) {
    const message = `${showName(link)} is a link, and skills are not installed or checked through links. Nothing was written. Put a folder there.`
    throw new SkillError('RESOURCE_REFUSED', message, { path: link })
  }
  const file = fileOnTheWay(project, folder)
  if (file === undefined) return
  const message = `${showName(file)} is not a folder, and skills belong below it. Nothing was written. Remove it, or name another folder.`
  throw new SkillError('RESOURCE_REFUSED', message, { path: file })
}

/** Returns the first link on the way from a folder to one below it, which is included; undefined if there is no link. */
export function linkOnTheWay(from: string, to: string): string | undefined {
  return pathsTo(from, to).find((path) => statsAt(path, lstatSync)?.isSymbolicLink())
}

/** Returns the first of these folders whose place is taken by a file or a link; undefined if none is. */
export function fileOnTheWay(from: string, to: string): string | undefined {
  return pathsTo(from, to).find((path) => statsAt(path, lstatSync)?.isDirectory() === false)
}

function pathsTo(from: string, to: string): readonly string[] {
  const parts = relative(from, to).split(sep)
  return parts.map((_, index) => join(from, ...parts.slice(0, index + 1)))
}

/** Returns undefined for a path that does not exist, also since a part of it is a file. */
function statsAt(path: string, read: typeof statSync): Stats | undefined {
  try {
    return read(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Maps folders to the skills of a lock file. Entries without a pinned folder are left out. */
export function lockedFolders({ skills }: SkillsLock): ReadonlyMap<string, readonly string[]> {
  const pinned = [...skills].filter(([, { repertoire }]) => repertoire !== undefined)
  const byFolder = Map.groupBy(pinned, ([, { repertoire }]) => repertoire?.folder ?? SKILLS_FOLDER)
  return new Map([...byFolder].map(([folder, entries]) => [folder, entries.map(([name]) => name)]))
}

/** Says where skills are, for a message: `.agents/skills (csv, pdf)`. */
export function foldersText(folders: ReadonlyMap<string, readonly string[]>): string {
  const places = [...folders].map(([folder, names]) => {
    const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
    return `${folder} (${names.slice(0, 5).join(', ')}${more})`
  })
  return places.join(' and in ')
}

/** @throws {SkillError} STORE_CONFLICT */
function folderOf(lock: SkillsLock): string | undefined {
  const folders = lockedFolders(lock)
  if (folders.size < 2) return folders.keys().next().value
  const message = `The lock has skills in ${foldersText(folders)}, and a project has one folder for them. Name the folder that is meant, or correct "folder" in the lock.`
  throw new SkillError('STORE_CONFLICT', message)
}
