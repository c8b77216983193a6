import { SkillError, showName } from '@repertoire/skill-md/internal'
import { pathProblem, quoted } from '../../resources/path.ts'
import type { ActiveSkill } from '../state/state.ts'

/** What private paths begin with. */
const PREFIX = 'private:'

/**
 * Returns the real path of a file that a model names by a private path; any other path unchanged.
 * @throws {SkillError} RESOURCE_PATH_INVALID: the path is not inside a mounted skill. RESOURCE_NOT_FOUND: no active skill
 * is mounted there.
 */
export function resolvePrivatePath(path: string, active: readonly ActiveSkill[]): string {
  const isPrivate = path.trimStart().toLowerCase().startsWith(PREFIX)
  for (const { mount } of active) {
    if (mount === undefined || !(path === mount.path || path.startsWith(`${mount.path}/`))) continue
    const relative = path.slice(mount.path.length + 1)
    if (relative === '') return mount.location
    const problem = pathProblem(relative)
    if (problem !== undefined) throw outsidePrivateFolder(path, problem)
    const separator = /^[a-z]:\\|^\\\\/i.test(mount.location) ? '\\' : '/'
    const parts = relative.split('/').filter((part) => part !== '.')
    return [mount.location.replace(/[/\\]+$/, ''), ...parts].join(separator)
  }
  if (!isPrivate) return path
  if (path.includes('..') || path.includes('\\')) throw outsidePrivateFolder(path, 'it may lead out of it')
  const folders = active.flatMap(({ mount }) => mount?.path ?? [])
  const where =
    folders.length === 0 ? 'No active skill has a private folder.' : `There are: ${folders.map(showName).join(', ')}.`
  throw new SkillError('RESOURCE_NOT_FOUND', `${quoted(path)} is in no private folder of an active skill. ${where}`)
}

/** Returns the path relative to a skill's folder where it names a file of its private copy; otherwise undefined. */
export function pathInsideMount(path: string, { mount }: ActiveSkill): string | undefined {
  return mount !== undefined && path.startsWith(`${mount.path}/`) ? path.slice(mount.path.length + 1) : undefined
}

/** @param problem why, as the end of a sentence */
export function outsidePrivateFolder(path: string, problem: string): SkillError {
  return new SkillError(
    'RESOURCE_PATH_INVALID',
    `${quoted(path)} is not a path inside a skill's private folder: ${problem}. Pass one such as "private:/.skills/name/references/guide.md".`,
  )
}
