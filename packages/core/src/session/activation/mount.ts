import { MAX_DIGEST_FILE_BYTES } from '../../ports/limits.ts'
import { pathProblem } from '../../resources/path.ts'
import type { FolderListing } from '../../ports/folder.ts'
import type { Mount, MountFile } from '../../ports/mount.ts'
import type { Skill } from '../../ports/skill.ts'
import { failureReason, failureText, type Refused, refused } from '../calls/refusal.ts'
import type { SessionContext } from '../context.ts'
import type { ActiveSkill } from '../state/state.ts'
import type { InspectedSkill } from './inspect.ts'
import type { PinnedFolders } from './pinned-folders.ts'
import { outsidePrivateFolder } from './private-path.ts'
import { quoteName } from '../../text/quote.ts'

/** What a skill is mounted with. */
export interface MountContext extends Pick<SessionContext, 'mounts'> {
  readonly pinnedFolders: Pick<PinnedFolders, 'open'>
}

/** The files that are mounted: all that the digest covers. */
interface MountedFolder extends Pick<InspectedSkill, 'files'> {
  readonly skill: Pick<Skill, 'location'>
  readonly listing: Pick<FolderListing, 'files' | 'withheld'>
}

/** Mounts a skill for a task. Returns undefined where the host has no mounts: the skill is then used where it is. */
export async function mountSkill(
  { mounts, pinnedFolders }: MountContext,
  task: string,
  skill: ActiveSkill,
  mounted: MountedFolder,
): Promise<Mount | Refused | undefined> {
  if (mounts === undefined) return undefined
  try {
    const folder = await pinnedFolders.open(skill)
    const read = (path: string) => (): Promise<Uint8Array> =>
      folder.read(path, { maxBytes: MAX_DIGEST_FILE_BYTES, withheld: true })
    const files = filesOf(mounted).map((file) => ({ ...file, read: read(file.path) }))
    const mount: unknown = await mounts.mount({ task, skill: skill.name, digest: skill.digest, files })
    return checkMount(mount)
  } catch (error) {
    return refused({
      code: 'MOUNT_FAILED',
      reason: `The skill ${quoteName(skill.name)} was not activated: it could not be put into the private space of this task. ${failureReason(error)}`,
    })
  }
}

/** Removes a skill's private copy, or all of the task's where no skill is given. A failure is reported as a problem. */
export async function unmountSkill(
  { mounts, reportProblem }: Pick<SessionContext, 'mounts' | 'reportProblem'>,
  task: string,
  skill?: string,
): Promise<void> {
  try {
    await mounts?.unmount(task, skill)
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
