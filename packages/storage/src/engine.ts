/** What is stored under the name of a skill. */
export interface StoredHead {
  /** What the next write of it is compared with. Another one after every write. */
  readonly token: string
  /** The store's own. Blobs that it refers to are in it by their hashes, as strings of JSON: see `referencesIn`. */
  readonly text: string
}

/** A blob: bytes under their own SHA-256, in hex. Never changed, and the same for all tenants that have it. */
export interface Blob {
  readonly hash: string
  readonly bytes: Uint8Array
}

/** One write: all of it happens, or nothing. */
export interface HeadWrite {
  readonly tenant: string
  readonly skill: string
  /** The token of the head that is replaced; absent: there must be none. */
  readonly expected: string | undefined
  /** Chosen by the writer, and another one for every write: so a write can be repeated that may have happened. */
  readonly version: string
  /** Null: the head is removed. */
  readonly text: string | null
  /** Those blobs to which it refers that may not be stored yet. The others are those of the head that is replaced. */
  readonly blobs: readonly Blob[]
}

/** The heads of a tenant that are not as they were. */
export interface HeadChanges {
  /** To be passed to the next call. */
  readonly cursor: unknown
  /** Whether these are all heads of the tenant, so that any other is gone. */
  readonly isWhole: boolean
  /** Present if there are more results: the cursor for the next call. */
  readonly rest?: unknown
  /** By skill; null: it was removed. */
  readonly heads: ReadonlyMap<string, StoredHead | null>
}

/** Receives what an engine notices of a tenant. */
export interface TenantListener {
  /** Something may have changed. Also called when a lost connection is back, since something may have been missed. */
  changed(): void
  /** The connection is lost, and tried again. */
  lost(error: unknown): void
}

/** What was removed by a sweep. */
export interface SweepResult {
  readonly blobs: number
}

/**
 * What a store needs of an engine. Tenants, skills and hashes are parts of keys already: of lowercase letters, digits, `-`
 * and `_`. A call rejects with a `SkillError`; with a `ConnectionLostError` if it may succeed when it is repeated.
 */
export interface StorageEngine {
  /** `redis`, `postgres`, `s3`: part of the ids of stores. */
  readonly name: string
  /** Prepares the engine, and reads what can be read of its settings. @throws {SkillError} STORAGE_UNSUITABLE */
  open(): Promise<void>
  read(tenant: string, skill: string): Promise<StoredHead | undefined>
  /** Reads the heads of several skills in one call. Absent: each is read by itself. */
  readSeveral?(tenant: string, skills: readonly string[]): Promise<ReadonlyMap<string, StoredHead>>
  /** @param cursor of the last call, or its `rest`; absent: everything is asked for */
  changes(tenant: string, cursor?: unknown): Promise<HeadChanges>
  /**
   * Replaces a head if the expected one is there, in one step. Repeated with the same version, it succeeds again.
   * @returns the token of what is stored now; undefined where something else is there than was expected
   */
  write(write: HeadWrite): Promise<string | undefined>
  /** The stored blobs by their hashes. The content has not been compared with the hash. */
  readBlobs(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>
  /** Removes all heads of a tenant, without a comparison. */
  removeTenant(tenant: string): Promise<void>
  /**
   * Removes blobs to which no head refers, and traces of removed heads, both older than a time. A blob that a writer is
   * about to refer to stays, however long it takes.
   */
  sweep(olderThanMs: number): Promise<SweepResult>
  /** Calls the listener after each change of a tenant. Absent: the engine does not notify. */
  watch?(tenant: string, listener: TenantListener): Promise<() => Promise<void>>
  /** Ends what the engine itself has opened. The host's client stays open. */
  close(): Promise<void>
}

/** The server did not carry out a call for a reason that passes: the connection is lost, it starts, it is busy. */
export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError'

  constructor(engine: string, cause: unknown) {
    super(`${engine}: ${cause instanceof Error ? cause.message || cause.name : String(cause)}`, { cause })
  }
}
