/** A lease of one session: only its holder may save. A plain value. */
export interface SessionLease {
  readonly session: string
  /**
   * The fencing token. Each lease of a session has a larger one than those before it, and a save with any but the
   * newest is refused. Tools of the host can pass it on to what they write themselves.
   */
  readonly token: number
}

/** What a store has under the id of a session. */
export interface SessionRecord {
  /** How often it was saved. The store counts by itself: it is not read from `saved`. */
  readonly version: number
  /** The JSON value that was saved last; undefined: it is gone, although the store knows of a save. */
  readonly saved: unknown
}

/** Options of a lease. */
export interface SessionLeaseOptions {
  /** How long the lease lasts unless it is renewed, in milliseconds, by the clock of the store. */
  readonly duration: number
}

/** Options of a save. */
export interface SessionSaveOptions {
  /** The version that the change is based on; 0: nothing may be stored. What is stored then has the next one. */
  readonly ifVersion: number
  /** How long it is kept unless it is saved again, in milliseconds, by the clock of the store. */
  readonly timeToLive: number
}

/**
 * Keeps sessions for several machines. What it keeps is opaque: `openStoredSession` seals it, and judges what it gets.
 *
 * Every operation happens completely or not at all. A session's id is any text of 1 to 512 characters without lone
 * surrogates and NUL (`checkSessionId`). Every method rejects with a `SkillError`: STORAGE_UNAVAILABLE (the store
 * cannot be reached; a save may have happened all the same), TIMED_OUT. A programmer's mistake is a `TypeError`.
 */
export interface SessionStore {
  /** Whose sessions these are. The same id of another tenant is another session, and no id leads to it. */
  readonly tenant: string
  /**
   * Takes the lease of a session, whether or not one is stored; undefined while another holder has it. One that has run
   * out can be taken by anybody, and then has a new token.
   */
  acquire(session: string, options: SessionLeaseOptions): Promise<SessionLease | undefined>
  /**
   * Lets a lease last from now on. One that has run out is renewed too, if nobody has taken it since. Returns false
   * where somebody has.
   */
  renew(lease: SessionLease, options: SessionLeaseOptions): Promise<boolean>
  /** Gives a lease back: it can be taken at once. Of one that somebody else has by now, nothing is changed. */
  release(lease: SessionLease): Promise<void>
  /** Returns what is stored; undefined: nothing, or its time to live is over. Needs no lease. */
  load(session: string): Promise<SessionRecord | undefined>
  /**
   * Saves a JSON value. Durable when it resolves, as far as the store promises that.
   * @throws {SkillError} LEASE_LOST: the lease is not the newest one. STORE_CONFLICT: another version is stored.
   * Nothing was written
   */
  save(lease: SessionLease, saved: unknown, options: SessionSaveOptions): Promise<void>
  /**
   * Removes what is stored; nothing: that is no error.
   * @throws {SkillError} LEASE_LOST
   */
  delete(lease: SessionLease): Promise<void>
}
