import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { LOCK_TIMEOUT_MS } from '../durable/file-lock.ts'
import { writingSystem } from '../durable/system.ts'
import { recoverStore } from '../store/write-store.ts'

/** The folder of a project that every client looks in, and where skills are installed unless a host says otherwise. */
const SKILLS_FOLDER = '.agents/skills'

/** The project whose skills are installed, and where in it. */
export interface ProjectOptions {
  /** The folder with `skills-lock.json`. */
  readonly project: string
  /** Where the skills' folders are, inside the project. Default `.agents/skills`, as the `skills` command has it. */
  readonly folder?: string
  /** How long a write waits for other writers, in milliseconds. Default 30,000. */
  readonly timeout?: number
}

/** A project, by absolute paths. */
export interface Project {
  readonly project: string
  readonly folder: string
  readonly timeout: number
}

/** @throws {TypeError} the folder does not lie in the project */
export function resolveProject({
  project,
  folder = SKILLS_FOLDER,
  timeout = LOCK_TIMEOUT_MS,
}: ProjectOptions): Project {
  const root = resolve(project)
  const inside = join(root, folder)
  const way = relative(root, inside)
  if (isAbsolute(folder) || way.split(sep)[0] === '..' || isAbsolute(way)) {
    throw new TypeError(`The folder for skills lies inside the project, and not in ${JSON.stringify(folder)}.`)
  }
  return { project: root, folder: inside, timeout }
}

/**
 * Opens a project for a plan. Writes nothing, unless a writer was ended on its way: then its change is undone or completed
 * first, so that the plan is made for what stays.
 */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const project = resolveProject(options)
  await recoverStore({ root: project.folder, timeout: project.timeout, system: writingSystem })
  return project
}
