import { type FolderListing, type FolderSurvey, quote, showName, type SkillFolder } from '@repertoire/skill-md/internal'
import { inTime } from '../time-limit.ts'

/**
 * A folder with a deadline for each of its reads: a disk that is not reachable, or a source over a network, may never
 * answer, and whoever waits for it goes on then.
 */
export class TimedFolder implements SkillFolder {
  readonly location: string
  readonly #inner: SkillFolder
  readonly #timeout: number

  /** @param timeout in milliseconds; `Infinity` for no limit */
  constructor(inner: SkillFolder, timeout: number) {
    this.location = inner.location
    this.#inner = inner
    this.#timeout = timeout
  }

  /** Returns the folder that a source has found, for what can only be done with that one. */
  static innerOf(folder: SkillFolder): SkillFolder {
    return #inner in folder ? folder.#inner : folder
  }

  get alias(): string | undefined {
    return this.#inner.alias
  }

  get onDemand(): boolean | undefined {
    return this.#inner.onDemand
  }

  readManifest(): Promise<Uint8Array> {
    return this.#timed('The manifest', this.#inner.readManifest())
  }

  list(): Promise<FolderListing> {
    return this.#timed('The list of files', this.#inner.list())
  }

  read(...[path, options]: Parameters<SkillFolder['read']>): Promise<Uint8Array> {
    return this.#timed(quote(path), this.#inner.read(path, options))
  }

  async survey(): Promise<FolderSurvey | undefined> {
    return this.#inner.survey && this.#timed('The survey', this.#inner.survey())
  }

  #timed<T>(what: string, reading: Promise<T>): Promise<T> {
    return inTime(reading, this.#timeout, `${what} in ${showName(this.location)}`)
  }
}
