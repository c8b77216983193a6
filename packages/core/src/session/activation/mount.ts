import type { Toolset } from '@repertoire/gate/internal'
import { MAX_DIGEST_FILE_BYTES, isObject, quoteName, SkillError } from '@repertoire/skill-md/internal'
import { pathProblem, quoted } from '../../resources/path.ts'
import type { Mount, MountFile } from '../../ports/mount.ts'
import type { ToolCall } from '../../ports/tool.ts'
import { failureText, type Refused } from '../refusal.ts'
import { refuse } from '../refusals.ts'
import type { SessionParts } from '../context.ts'
import { type ActiveSkill, taskOf } from '../state/state.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import { inTime, untilAborted } from '../../time-limit.ts'

/**
 * Mounts a skill for a session. A mount that is made after its time, or after the run was aborted, is removed again.
 * Returns undefined where the host has no mounts.
 */
export async function mountSkill(
  session: SessionParts,
  skill: ActiveSkill,
  inspected: InspectedSkill,
  signal: AbortSignal | undefined,
): Promise<Mount | Refused | undefined> {
  const { state } = session
  const { mounts, loadTimeout, pinnedFolders } = session.context
  if (mounts === undefined) return undefined
  const { name, digest } = skill
  const task = taskOf(state.current())
  const isUnused = (): boolean => state.current().active.every((active) => active.name !== name)
  let isLate = false
  try {
    const folder = await untilAborted(pinnedFolders.open(skill), signal)
    const read = (path: string) => (): Promise<Uint8Array> =>
      folder.read(path, { maxBytes: MAX_DIGEST_FILE_BYTES, withheld: true })
    const files = filesOf(inspected).map((file) => ({ ...file, read: read(file.path) }))
    const mounting = mounts.mount({ task, skill: name, digest, files })
    // Another activation of the skill may use the copy by then.
    const removeLate = (): unknown => isLate && isUnused() && unmountSkill(session, name)
    void Promise.resolve(mounting).then(removeLate, removeLate)
    return checkMount(await inTime<unknown>(mounting, loadTimeout, 'The port `mounts`', signal))
  } catch (error) {
    isLate = true
    signal?.throwIfAborted()
    return refuse.mountFailed(name, error)
  }
}

/** Removes a skill's private copy, or all of the task's where no skill is given. A failure is reported as a problem. */
export async function unmountSkill(
  { context: { mounts, loadTimeout, reportProblem }, state }: SessionParts,
  skill?: string,
): Promise<void> {
  try {
    if (mounts !== undefined)
      await inTime(mounts.unmount(taskOf(state.current()), skill), loadTimeout, 'The port `mounts`')
  } catch (error) {
    const what =
      skill === undefined ? 'The private space of a task' : `The private copy of the skill ${quoteName(skill)}`
    reportProblem({
      code: 'UNMOUNT_FAILED',
      message: `${what} could not be removed. ${failureText(error)}`,
      skill,
      cause: error,
    })
  }
}

/** The files that are mounted: all that the digest covers. */
function filesOf({ skill, listing, files }: InspectedSkill): readonly Omit<MountFile, 'read'>[] {
  const executable = new Set(
    [...listing.files, ...listing.withheld.files].flatMap((file) => (file.executable ? file.path : [])),
  )
  return [...files.keys()].map((path) => {
    const problem = pathProblem(path)
    if (problem !== undefined)
      throw new SkillError('RESOURCE_PATH_INVALID', `${quoted(`${skill.location}/${path}`)} is not copied: ${problem}.`)
    return { path, executable: executable.has(path) }
  })
}

/** Reads what a port returned. @throws {TypeError} */
function checkMount(value: unknown): Mount {
  const { path, location } = Object(value) as Mount
  const isWhole = [path, location].every((each: unknown) => typeof each === 'string' && each !== '')
  if (!isWhole) throw new TypeError('`mounts.mount` gave no `path` or no `location`.')
  return { path, location }
}

/** Returns a call that names files by their real paths where the model has named them by private ones. */
export function withRealPaths(call: ToolCall, tools: Toolset, active: readonly ActiveSkill[]): ToolCall {
  const { argument } = tools.find(call.tool)
  const { input } = call
  if (argument?.kind !== 'path' || !isObject(input) || active.every(({ mount }) => mount === undefined)) return call
  const names = [argument.argument].flat().filter((name) => Object.hasOwn(input, name))
  const real = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(real)
    return typeof value === 'string' ? realPathOf(value, active) : value
  }
  return { ...call, input: { ...input, ...Object.fromEntries(names.map((name) => [name, real(input[name])])) } }
}

/** What names no file of a copy stays as it is: the tool says what is wrong with it. */
function realPathOf(path: string, active: readonly ActiveSkill[]): string {
  for (const { mount } of active) {
    if (mount === undefined || !(path === mount.path || path.startsWith(`${mount.path}/`))) continue
    const relative = path.slice(mount.path.length + 1)
    if (relative === '') return mount.location
    if (pathProblem(relative) !== undefined) return path
    const separator = /^[a-z]:\\|^\\\\/i.test(mount.location) ? '\\' : '/'
    const parts = relative.split('/').filter((part) => part !== '.')
    return [mount.location.replace(/[/\\]+$/, ''), ...parts].join(separator)
  }
  return path
}

/** Returns the path relative to a skill's folder where it names a file of its private copy; otherwise undefined. */
export function pathInsideMount(path: string, { mount }: ActiveSkill): string | undefined {
  return mount !== undefined && path.startsWith(`${mount.path}/`) ? path.slice(mount.path.length + 1) : undefined
}
