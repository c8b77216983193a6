import { quote, showName, type SkillFolder } from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'

/** A folder whose reads have a deadline. */
interface TimedFolder extends SkillFolder {
  /** The folder that the source has found. */
  readonly inner: SkillFolder
}

/**
 * Returns the same folder with a deadline for each of its reads: a disk that is not reachable, or a source over a
 * network, may never answer, and whoever waits for it goes on then.
 * @param timeout in milliseconds; `Infinity` for no limit
 */
export function timedFolder(inner: SkillFolder, timeout: number): SkillFolder {
  const { location, alias, onDemand } = inner
  const timed = <T>(what: string, reading: Promise<T>): Promise<T> =>
    inTime(reading, timeout, `${what} in ${showName(location)}`)
  const folder: TimedFolder = {
    inner,
    location,
    alias,
    onDemand,
    readManifest: () => timed('The manifest', inner.readManifest()),
    list: () => timed('The list of files', inner.list()),
    read: (path, options) => timed(quote(path), inner.read(path, options)),
    survey: async () => inner.survey && timed('The survey', inner.survey()),
  }
  return folder
}

/** Returns the folder that a source has found, for what can only be done with that one. */
export function innerFolder(folder: SkillFolder): SkillFolder {
  return 'inner' in folder ? (folder as TimedFolder).inner : folder
}
