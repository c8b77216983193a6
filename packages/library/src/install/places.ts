import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync, unlinkSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { platform } from 'node:process'
import { folderNameOf } from '../lock/folder-name.ts'
import { isSystemError } from '../system-code.ts'
import { problemOnTheWay, type Project } from './project.ts'

/** A link for another client that is not what it should be. Foreign files are never overwritten. */
export interface PlaceProblem {
  readonly skill: string
  /** Relative to the project: `.claude/skills`. */
  readonly folder: string
  /** As a sentence, with what to do. */
  readonly reason: string
}

/** A skill and the folders of other clients that have a link to it. */
interface Linked {
  readonly name: string
  readonly also: readonly string[]
}

/** What is the matter with the links of some skills. */
export function linkProblems(project: Project, skills: readonly Linked[]): readonly PlaceProblem[] {
  return eachLink(project, skills, (found, shown) =>
    found === 'missing' ? `${shown} is not there. Run "install" to make it again.` : undefined,
  )
}

/** Makes the links of some skills. What cannot be made is said. A skill that is missing gets none. */
export function makeLinks(project: Project, skills: readonly Linked[]): readonly PlaceProblem[] {
  return eachLink(project, skills, (found, _shown, path, target) => {
    if (found === 'missing' && existsSync(target)) makeLink(project, path, target)
    return undefined
  })
}

/** Removes the links of skills that were removed. */
export function dropLinks(project: Project, skills: readonly Linked[]): readonly PlaceProblem[] {
  return eachLink(project, skills, (found, _shown, path) => {
    if (found === 'ours') unlinkSync(path)
    return undefined
  })
}

/** Judges what is in the place of each link, and lets work be done with it if that is nothing, or our link. */
function eachLink(
  project: Project,
  skills: readonly Linked[],
  work: (found: 'ours' | 'missing', shown: string, path: string, target: string) => string | undefined,
): readonly PlaceProblem[] {
  const problems: PlaceProblem[] = []
  for (const { name, also } of skills) {
    for (const folder of also) {
      const parent = join(project.clients, folder)
      // A lock can name the very folder that the skills are in.
      if (parent === project.folder) continue
      const path = join(parent, folderNameOf(name))
      const target = join(project.folder, folderNameOf(name))
      const shown = `${folder}/${name}`
      let reason: string | undefined
      try {
        reason = problemOnTheWay(project.clients, parent)
        const found = reason === undefined ? foundAt(path, target) : undefined
        if (found === 'other')
          reason = `${shown} is something else, and stays as it is. Move it away, and run "install".`
        else if (found !== undefined) reason = work(found, shown, path, target)
      } catch (error) {
        if (!isSystemError(error)) throw error
        reason = (error as Error).message
      }
      if (reason !== undefined) problems.push({ skill: name, folder, reason })
    }
  }
  return problems
}

function foundAt(path: string, target: string): 'ours' | 'missing' | 'other' {
  const parent = dirname(path)
  const stats =
    lstatSync(parent, { throwIfNoEntry: false })?.isDirectory() && lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return 'missing'
  if (!stats.isSymbolicLink()) return 'other'
  const to = resolve(realpathSync.native(parent), readlinkSync(path))
  return to === join(realpathSync.native(dirname(target)), basename(target)) ? 'ours' : 'other'
}

function makeLink({ clients }: Project, path: string, target: string): void {
  const parent = dirname(path)
  let folder = realpathSync.native(clients)
  for (const part of relative(clients, parent).split(/[/\\]/)) {
    folder = join(folder, part)
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) mkdirSync(folder)
  }
  // A junction of Windows needs an absolute path, and no rights; elsewhere the word means nothing.
  const way = platform === 'win32' ? target : relative(realpathSync.native(parent), realpathSync.native(target))
  symlinkSync(way, path, 'junction')
}
