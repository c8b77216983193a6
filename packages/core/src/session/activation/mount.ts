import { MAX_DIGEST_FILE_BYTES, type FolderListing, type Skill, quoteName } from '@repertoire/skill-md/internal'
import { pathProblem } from '../../resources/path.ts'
import type { Mount, MountFile } from '@repertoire/gate/internal'
import { failureReason, failureText, type Refused, refused } from '../refusal.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { InspectedSkill } from '../inspect-skill.ts'
import type { PinnedFolders } from './pinned-folders.ts'
import { outsidePrivateFolder } from './private-path.ts'
import { inTime, untilAborted } from '../../time-limit.ts'

/** What a skill is mounted with. */
export interface MountContext extends Pick<SessionContext, 'mounts' | 'loadTimeout' | 'reportProblem'> {
  readonly pinnedFolders: Pick<PinnedFolders, 'open'>
}

/** The files that are mounted: all that the digest covers. */
interface MountedFolder extends Pick<InspectedSkill, 'files'> {
  readonly skill: Pick<Skill, 'location'>
  readonly listing: Pick<FolderListing, 'files' | 'withheld'>
}

/** What one skill is mounted as, and until when. */
interface Mounting {
  readonly skill: ActiveSkill
  readonly mounted: MountedFolder
  /** Whether a copy that is made too late may be removed: no other activation of the skill uses it. */
  readonly isUnwanted: () => boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Mounts a skill for a task. Returns undefined where the host has no mounts: the skill is then used where it is. A mount
 * that is made after its time, or after the run was aborted, is removed again.
 * @throws the signal's reason
 */
export async function mountSkill(
  context: MountContext,
  task: string,
  { skill, mounted, isUnwanted, signal }: Mounting,
): Promise<Mount | Refused | undefined> {
  const { mounts, loadTimeout, pinnedFolders } = context
  if (mounts === undefined) return undefined
  let isLate = false
  try {
    const folder = await untilAborted(pinnedFolders.open(skill), signal)
    const read = (path: string) => (): Promise<Uint8Array> =>
      folder.read(path, { maxBytes: MAX_DIGEST_FILE_BYTES, withheld: true })
    const files = filesOf(mounted).map((file) => ({ ...file, read: read(file.path) }))
    const mounting = mounts.mount({ task, skill: skill.name, digest: skill.digest, files })
    const removeLate = (): unknown => isLate && isUnwanted() && unmountSkill(context, task, skill.name)
    void Promise.resolve(mounting).then(removeLate, removeLate)
    return checkMount(await inTime<unknown>(mounting, loadTimeout, 'The port `mounts`', signal))
  } catch (error) {
    isLate = true
    signal?.throwIfAborted()
    return refused({
      code: 'MOUNT_FAILED',
      reason: `The skill ${quoteName(skill.name)} was not activated: it could not be put into the private space of this task. ${failureReason(error)}`,
    })
  }
}

/** Removes a skill's private copy, or all of the task's where no skill is given. A failure is reported as a problem. */
export async function unmountSkill(
  { mounts, loadTimeout, reportProblem }: Pick<SessionContext, 'mounts' | 'loadTimeout' | 'reportProblem'>,
  task: string,
  skill?: string,
): Promise<void> {
  try {
    if (mounts !== undefined) await inTime(mounts.unmount(task, skill), loadTimeout, 'The port `mounts`')
  } catch (error) {
    const what =
      skill === undefined ? 'The private space of a task' : `The private copy of the skill ${quoteName(skill)}`
    reportProblem({
      code: 'UNMOUNT_FAILED',
      message: `${what} could not be removed. ${failureText(error)}`,
      ...(skill !== undefined && { skill }),
      cause: error,
    })
  }
}

function filesOf({ skill, listing, files }: MountedFolder): readonly Omit<MountFile, 'read'>[] {
  const executable = new Set(
    [...listing.files, ...listing.withheld.files].flatMap((file) => (file.executable ? file.path : [])),
  )
  return [...files.keys()].map((path) => {
    const problem = pathProblem(path)
    if (problem !== undefined) throw outsidePrivateFolder(`${skill.location}/${path}`, problem)
    return { path, executable: executable.has(path) }
  })
}

/** Reads what a port returned. @throws {TypeError} */
function checkMount(value: unknown): Mount {
  const { path, location } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  if (typeof path !== 'string' || path === '' || typeof location !== 'string' || location === '') {
    throw new TypeError('`mounts.mount` gave no `path` or no `location`.')
  }
  return { path, location }
}
