import { SkillError } from '../../errors.ts'
import { pathProblem, quoted } from '../../resources/path.ts'
import type { Mount, MountFile } from '../../ports/mount.ts'
import type { SessionContext } from '../context.ts'
import type { InspectedSkill } from './inspect.ts'
import { failureReason, failureText, type Refused, refused } from '../calls/refusal.ts'
import type { ActiveSkill } from '../state/state.ts'
import { MAX_DIGEST_FILE_BYTES } from '../../ports/limits.ts'

/** What private copies begin with, as a model is given them. */
const PRIVATE = 'private:'

/** Mounts a skill for a task, where the host has mounts; undefined where it is used where it lies. */
export async function mountSkill(
  { mounts, held }: SessionContext,
  task: string,
  skill: ActiveSkill,
  prepared: InspectedSkill,
): Promise<Mount | Refused | undefined> {
  if (mounts === undefined) return undefined
  try {
    const folder = await held.open(skill)
    const read = (path: string) => (): Promise<Uint8Array> =>
      folder.read(path, { maxBytes: MAX_DIGEST_FILE_BYTES, withheld: true })
    const files = filesOf(prepared).map((file) => ({ ...file, read: read(file.path) }))
    const mount: unknown = await mounts.mount({ task, skill: skill.name, digest: skill.digest, files })
    return checkedMount(mount)
  } catch (error) {
    return refused({
      code: 'MOUNT_FAILED',
      reason: `The skill "${skill.name}" was not activated: it could not be put into the private space of this task. ${failureReason(error)}`,
    })
  }
}

/** Removes a skill's private copy, or with no skill all of the task's. What keeps it from that is a problem. */
export async function unmountSkill({ mounts, problem }: SessionContext, task: string, skill?: string): Promise<void> {
  try {
    await mounts?.unmount(task, skill)
  } catch (error) {
    const what = skill === undefined ? 'The private space of a task' : `The private copy of the skill "${skill}"`
    problem({
      code: 'UNMOUNT_FAILED',
      message: `${what} could not be removed. ${failureText(error)}`,
      ...(skill !== undefined && { skill }),
      cause: error,
    })
  }
}

/**
 * The real path of what a model calls by a private one; any other path as it is.
 * @throws {SkillError} RESOURCE_PATH_INVALID: it is no path inside a mounted skill. RESOURCE_NOT_FOUND: no active skill
 * is mounted there.
 */
export function resolvePrivatePath(path: string, active: readonly ActiveSkill[]): string {
  const isPrivate = path.trimStart().toLowerCase().startsWith(PRIVATE)
  for (const { mount } of active) {
    if (mount === undefined || !(path === mount.path || path.startsWith(`${mount.path}/`))) continue
    const rest = path.slice(mount.path.length + 1)
    if (rest === '') return mount.location
    const problem = pathProblem(rest)
    if (problem !== undefined) throw outside(path, problem)
    const separator = /^[a-z]:\\|^\\\\/i.test(mount.location) ? '\\' : '/'
    const parts = rest.split('/').filter((part) => part !== '.')
    return [mount.location.replace(/[/\\]+$/, ''), ...parts].join(separator)
  }
  if (!isPrivate) return path
  if (path.includes('..') || path.includes('\\')) throw outside(path, 'it may lead out of it')
  const places = active.flatMap(({ mount }) => mount?.path ?? [])
  const where = places.length === 0 ? 'No active skill has a private folder.' : `There are: ${places.join(', ')}.`
  throw new SkillError('RESOURCE_NOT_FOUND', `${quoted(path)} is in no private folder of an active skill. ${where}`)
}

/** The path relative to the folder of an active skill, of a path that names its private copy; else undefined. */
export function insideMount(path: string, { mount }: ActiveSkill): string | undefined {
  return mount !== undefined && path.startsWith(`${mount.path}/`) ? path.slice(mount.path.length + 1) : undefined
}

function outside(path: string, problem: string): SkillError {
  return new SkillError(
    'RESOURCE_PATH_INVALID',
    `${quoted(path)} is no path inside a skill's private folder: ${problem}. Pass one such as "private:/.skills/name/references/guide.md".`,
  )
}

/** All that the digest covers. */
function filesOf({ skill, listing, files }: InspectedSkill): readonly Omit<MountFile, 'read'>[] {
  const executable = new Set(
    [...listing.files, ...listing.withheld.files].flatMap((file) => (file.executable ? file.path : [])),
  )
  return [...files.keys()].map((path) => {
    const problem = pathProblem(path)
    if (problem !== undefined) throw outside(`${skill.location}/${path}`, problem)
    return { path, executable: executable.has(path) }
  })
}

/** Reads what a port gave. @throws {TypeError} */
function checkedMount(value: unknown): Mount {
  const { path, location } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (typeof path !== 'string' || path === '' || typeof location !== 'string' || location === '') {
    throw new TypeError('`mounts.mount` gave no `path` or no `location`.')
  }
  return { path, location }
}
