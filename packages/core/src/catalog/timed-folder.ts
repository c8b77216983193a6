import { quote, showName, type SkillFolder } from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'

/**
 * A folder with a deadline for each of its reads: a disk that is not reachable, or a source over a network, may never
 * answer, and whoever waits for it goes on then.
 */
class TimedFolder implements SkillFolder {
  readonly location: string
  /** The folder that the source has found. */
  readonly inner: SkillFolder
  readonly #timeout: number

  constructor(inner: SkillFolder, timeout: number) {
    this.inner = inner
    this.location = inner.location
    this.#timeout = timeout
  }

  get alias(): string | undefined {
    return this.inner.alias
  }

  get onDemand(): boolean | undefined {
    return this.inner.onDemand
  }

  readManifest(): Promise<Uint8Array> {
    return this.#inTime('The manifest', this.inner.readManifest())
  }

  list(): ReturnType<SkillFolder['list']> {
    return this.#inTime('The list of files', this.inner.list())
  }

  read(...[path, options]: Parameters<SkillFolder['read']>): Promise<Uint8Array> {
    return this.#inTime(quote(path), this.inner.read(path, options))
  }

  async survey(): ReturnType<NonNullable<SkillFolder['survey']>> {
    return this.inner.survey && this.#inTime('The survey', this.inner.survey())
  }

  #inTime<T>(what: string, reading: Promise<T>): Promise<T> {
    return inTime(reading, this.#timeout, `${what} in ${showName(this.location)}`)
  }
}

/**
 * Returns the same folder with a deadline for each of its reads.
 * @param timeout in milliseconds; `Infinity` for no limit
 */
export function timedFolder(inner: SkillFolder, timeout: number): SkillFolder {
  return new TimedFolder(inner, timeout)
}

/** Returns the folder that a source has found, for what can only be done with that one. */
export function innerFolder(folder: SkillFolder): SkillFolder {
  return folder instanceof TimedFolder ? folder.inner : folder
}
