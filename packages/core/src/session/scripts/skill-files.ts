import { MAX_DIGEST_FILE_BYTES, SkillError, quoteName } from '@repertoire/skill-md/internal'
import type { ScriptFile } from '../../ports/script-runner.ts'
import { untilAborted } from '../../time-limit.ts'
import type { PinnedFolders } from '../activation/pinned-folders.ts'
import type { ActiveSkill } from '../state/state.ts'

/** The bytes of a skill's folder that a script may be given, all files together. */
const MAX_FOLDER_BYTES = 256 * 1024 * 1024

/** Files that are read at once. */
const MAX_READS = 16

/**
 * Reads every file of a skill's folder that was agreed to, hidden ones too: what a script is run with. Files that have
 * come since are not among them.
 * @throws {SkillError} RESOURCE_REFUSED: a file has changed; RESOURCE_NOT_FOUND: one is gone; RESOURCE_TOO_LARGE
 * @throws the signal's reason
 */
export async function readSkillFiles(
  pinnedFolders: Pick<PinnedFolders, 'openFiles'>,
  skill: ActiveSkill,
  signal?: AbortSignal,
): Promise<readonly ScriptFile[]> {
  const { folder, files } = await untilAborted(pinnedFolders.openFiles(skill), signal)
  const read: ScriptFile[] = []
  let size = 0
  for (let start = 0; start < files.length; start += MAX_READS) {
    const batch = files.slice(start, start + MAX_READS).map(async ({ path, executable }) => ({
      path,
      executable,
      bytes: await folder.read(path, { withheld: true, maxBytes: MAX_DIGEST_FILE_BYTES }),
    }))
    for (const file of await untilAborted(Promise.all(batch), signal)) {
      size += file.bytes.length
      if (size > MAX_FOLDER_BYTES) {
        throw new SkillError(
          'RESOURCE_TOO_LARGE',
          `The folder of the skill ${quoteName(skill.name)} holds more than ${MAX_FOLDER_BYTES} bytes, so no script of it is run.`,
          { path: skill.location },
        )
      }
      read.push(file)
    }
  }
  return read
}
