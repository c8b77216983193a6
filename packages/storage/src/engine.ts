/** What is stored under a key. */
export interface RecordReading {
  /** The engine's time, in milliseconds. */
  readonly now: number
  /** What the next write is compared with: another one after every write. Absent: nothing is stored. */
  readonly token?: string | undefined
  /** Absent: nothing is stored, or what the caller knows. */
  readonly text?: string | undefined
}

/** A file under its SHA-256, in hex. Its bytes never change, and all records share it. */
export interface StoredFile {
  readonly hash: string
  readonly bytes: Uint8Array
}

/** One write: all of it happens, or nothing. */
export interface RecordWrite {
  readonly key: string
  /** The token of the record that is replaced. Absent: there must be none. */
  readonly expected: string | undefined
  /** Files that it refers to are in it by their hashes, as strings of JSON: see `referencesIn`. */
  readonly text: string
  /** The files that it refers to and the replaced record does not, each hash once. Default none. */
  readonly files?: readonly StoredFile[] | undefined
  /** After how many milliseconds the record may be removed. Absent: never. */
  readonly expiresIn?: number | undefined
}

/** What was removed by a sweep. */
export interface SweepResult {
  readonly files: number
}

/**
 * What skills and sessions need of an engine: records that are compared and replaced in one step, and files. Keys and
 * hashes have lowercase letters, digits, `-`, `_` and `/`. A call rejects with a `ConnectionLostError` if it may
 * succeed when it is repeated, otherwise with a `SkillError`.
 */
export interface StorageEngine {
  /** `redis`, `postgres`, `s3`: part of the ids of stores. */
  readonly name: string
  /** Whether each file is a call. The beginnings of many manifests are then kept in one file. Default false. */
  readonly readsFilesSingly?: boolean | undefined
  /** Prepares the engine, and checks its settings. @throws {SkillError} STORAGE_UNSUITABLE */
  open(): Promise<void>
  /** @param known the token of the caller's copy. If it is still the stored one, the text is left out */
  read(key: string, known?: string): Promise<RecordReading>
  /** @returns the token of what is stored now; undefined if something else is stored than was expected */
  replace(write: RecordWrite): Promise<string | undefined>
  /** The stored files by their hashes. Their bytes were not yet compared with the hash. */
  readFiles(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * Removes files to which no record refers and that were written before a time, and expired records. A file that a
   * writer is about to refer to stays.
   */
  sweep(olderThanMs: number): Promise<SweepResult>
}

/** The server did not carry out a call for a reason that passes: the connection is lost, it starts, it is busy. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'

  constructor(engine: string, cause: unknown) {
    super(`${engine}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, { cause })
  }
}

/** The files that the text of a record refers to: every hash that stands in it as a string of JSON. */
export function referencesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash))]
}
