import { quote, showName, type SkillFolder } from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'

/** A folder whose reads have a deadline. All of them share their methods, since thousands are kept in memory. */
interface TimedFolder extends SkillFolder {
  /** The folder that the source has found. */
  readonly inner: SkillFolder
  /** In milliseconds. */
  readonly timeout: number
}

/**
 * Returns the same folder with a deadline for each of its reads: a disk that is not reachable, or a source over a
 * network, may never answer, and whoever waits for it goes on then.
 * @param timeout in milliseconds; `Infinity` for no limit
 */
export function timedFolder(inner: SkillFolder, timeout: number): SkillFolder {
  const { location, alias, onDemand } = inner
  const folder: TimedFolder = { inner, timeout, location, alias, onDemand, readManifest, list, read, survey }
  return folder
}

/** Returns the folder that a source has found, for what can only be done with that one. */
export function innerFolder(folder: SkillFolder): SkillFolder {
  return 'inner' in folder ? (folder as TimedFolder).inner : folder
}

function readManifest(this: TimedFolder): Promise<Uint8Array> {
  return timed(this, 'The manifest', this.inner.readManifest())
}

function list(this: TimedFolder): ReturnType<SkillFolder['list']> {
  return timed(this, 'The list of files', this.inner.list())
}

function read(this: TimedFolder, ...[path, options]: Parameters<SkillFolder['read']>): Promise<Uint8Array> {
  return timed(this, quote(path), this.inner.read(path, options))
}

async function survey(this: TimedFolder): ReturnType<NonNullable<SkillFolder['survey']>> {
  return this.inner.survey && timed(this, 'The survey', this.inner.survey())
}

function timed<T>({ timeout, location }: TimedFolder, what: string, reading: Promise<T>): Promise<T> {
  return inTime(reading, timeout, `${what} in ${showName(location)}`)
}
