import type { Session } from '../../session/session.ts'
import type { SessionOptions } from '../options.ts'
import type { SessionStore } from '../../ports/session-store.ts'

/** How a session in a store is opened. Times are in milliseconds. */
export interface StoredSessionOptions extends Omit<SessionOptions, 'id' | 'saved' | 'checkpoint' | 'until'> {
  readonly store: SessionStore
  /** The name of the task, such as the id of a chat. */
  readonly id: string
  /**
   * How long the lease lasts unless it is renewed, which happens three times as often: after a crash, so long nobody can
   * work on the session. Default 15,000.
   */
  readonly lease?: number
  /** How long to wait while another process works on the session. Default 30,000. */
  readonly wait?: number
  /** How long a session is kept after it was used last. Default 30 days. */
  readonly timeToLive?: number
  /** How long each answer of the store may take. Default 10,000. */
  readonly storeTimeout?: number
  /**
   * The version that was stored when the host last saw the session (`version`), where it keeps that elsewhere, such as
   * beside the messages: anything older is refused. Default: what this process has seen.
   */
  readonly atLeast?: number
  /** Ends the wait for another process. Default: none. */
  readonly signal?: AbortSignal | undefined
}

/** A session of a store, as long as this process works on it. */
export interface StoredSession {
  readonly session: Session
  /** Aborts when the lease is lost, with a `SkillError` LEASE_LOST; or as `signal` of the options. To be given to the run. */
  readonly signal: AbortSignal
  /** The fencing token of the lease. It grows, so that what has seen a larger one can refuse this one. */
  readonly token: number
  /** The version that is stored; 0: none is yet. */
  readonly version: number
  /**
   * Saves the session now, where it has changed. It is saved anyway before a request for consent goes out, before anything
   * begins that was consented to, and by `close`.
   * @throws {SkillError} LEASE_LOST, STORE_CONFLICT, STORAGE_UNAVAILABLE, TIMED_OUT
   */
  save(): Promise<void>
  /**
   * Saves the session and gives the lease back. Nothing can be called in it afterwards: end the run first. Safe to repeat.
   * @throws {SkillError} as `save`; the lease is then given back all the same
   */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** The same, complete and checked. */
export type CompleteOptions = StoredSessionOptions &
  Required<Pick<StoredSessionOptions, 'lease' | 'wait' | 'timeToLive' | 'storeTimeout'>>
