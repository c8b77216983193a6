import { type SkillFolder, quote, showName } from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'

/**
 * Returns the same folder with a deadline for each of its reads: a disk that is not reachable, or a source over a
 * network, may never answer, and whoever waits for it continues then.
 * @param timeoutMs `Infinity` for no limit
 */
export function timedFolder(folder: SkillFolder, timeoutMs: number): SkillFolder {
  const { location, alias, onDemand } = folder
  const timed = <T>(what: string, reading: Promise<T>): Promise<T> =>
    inTime(reading, timeoutMs, `${what} in ${showName(location)}`)
  const result: SkillFolder = {
    location,
    ...(alias !== undefined && { alias }),
    ...(onDemand !== undefined && { onDemand }),
    readManifest: () => timed('The manifest', folder.readManifest()),
    list: () => timed('The list of files', folder.list()),
    read: (path, options) => timed(quote(path), folder.read(path, options)),
    ...(folder.survey !== undefined && { survey: () => timed('The survey', folder.survey!()) }),
  }
  originals.set(result, folder)
  return result
}

const originals = new WeakMap<SkillFolder, SkillFolder>()

/** Returns the folder that a source has found, for what can only be done with that one. */
export function untimedFolder(folder: SkillFolder): SkillFolder {
  return originals.get(folder) ?? folder
}
