import {
  checkOptions,
  number,
  type OptionTable,
  required,
  text as textKind,
  withDefault,
} from '@repertoire/core/options'
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { SkillError, showName, type SessionStore } from '@repertoire/core'
import {
  checkSessionId,
  checkSessionOptions,
  checkSessionTenant,
  leaseLost,
  versionConflict,
} from '@repertoire/core/stores'
import { fromEngine, parsed } from './failures.ts'

/** Options of `openFileSessions`. */
export interface FileSessionsOptions {
  /** The file. A missing file is created, readable only by this user. Its folder must exist, on a local disk. */
  readonly path: string
  /** Whose sessions these are. Default `default`. */
  readonly tenant?: string | undefined
  /** How long to wait for other processes that use the file, in milliseconds. Default 10,000. */
  readonly timeout?: number | undefined
}

/** A store of sessions in a file. */
export interface FileSessions extends SessionStore {
  /** Removes what all tenants have stored past its time to live. To be called now and then: nothing else removes it. */
  sweep(): Promise<void>
  /** Closes the file. */
  close(): void
}

// The heads lie apart from what was saved: an older value put into its place does not bring its version with it.
const CREATE = `
CREATE TABLE IF NOT EXISTS heads (
  tenant TEXT NOT NULL, id TEXT NOT NULL, token INTEGER NOT NULL, leased_until REAL NOT NULL,
  version INTEGER NOT NULL, expires REAL NOT NULL, PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS states (
  tenant TEXT NOT NULL, id TEXT NOT NULL, saved TEXT NOT NULL, PRIMARY KEY (tenant, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tokens (last INTEGER NOT NULL);
INSERT INTO tokens SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM tokens);`

const HEAD = 'SELECT token, leased_until AS leasedUntil, version, expires FROM heads WHERE tenant = ? AND id = ?'
const PUT_HEAD = 'INSERT OR REPLACE INTO heads VALUES (?, ?, ?, ?, ?, ?)'
const LOAD = `SELECT version, expires, saved FROM heads LEFT JOIN states USING (tenant, id)
  WHERE tenant = ? AND id = ?`
const PUT_STATE = 'INSERT OR REPLACE INTO states VALUES (?, ?, ?)'
const SWEEP_STATES = `DELETE FROM states WHERE EXISTS (SELECT 1 FROM heads
  WHERE heads.tenant = states.tenant AND heads.id = states.id AND expires <= ? AND leased_until <= ?)`

const LEASE_GRACE_MS = 60 * 60_000
const SQLITE_BUSY = 5
const MIN_PAUSE_MS = 2
const MAX_PAUSE_MS = 20
const TIMEOUT_MS = 10_000

const OPTIONS: OptionTable<FileSessionsOptions> = {
  path: required(textKind),
  tenant: withDefault('default', textKind),
  timeout: withDefault(TIMEOUT_MS, number('milliseconds', { from: 0 })),
}

interface Head {
  readonly token: number
  readonly leasedUntil: number
  readonly version: number
  readonly expires: number
}

/**
 * Opens a store of sessions in a file, for the processes of one machine. It is an SQLite database, by Node's own
 * `node:sqlite`: each change is whole, and on the disk when it is acknowledged.
 * @throws {SkillError} FOLDER_NOT_WRITABLE: the file cannot be opened; STORAGE_UNAVAILABLE: it is not such a database;
 * TIMED_OUT: other processes do not leave it
 * @throws {TypeError} an option is unknown or has the wrong type, or the tenant is not a name
 */
export async function openFileSessions(options: FileSessionsOptions): Promise<FileSessions> {
  checkOptions('openFileSessions', OPTIONS, options, "openFileSessions({ path: 'sessions.db' })")
  const { path, tenant = 'default', timeout = TIMEOUT_MS } = options
  checkSessionTenant(tenant)
  makeFile(path)
  // Loaded when it is used: before Node 24 it prints a warning that it is experimental.
  const { DatabaseSync } = await import('node:sqlite')
  const database = await fromEngine('The file', () => new DatabaseSync(path))

  /** Does some work in one transaction. Others are waited for without blocking the process. */
  const transact = <T>(work: () => T): Promise<T> => whenFree(() => inTransaction(work))

  /** Does something once other processes leave the file. */
  async function whenFree<T>(run: () => T): Promise<T> {
    const end = performance.now() + timeout
    for (;;) {
      const done = await fromEngine('The file', () => unlessBusy(run))
      if (done !== undefined) return done.value
      if (performance.now() >= end) {
        const message = `Other processes have used ${showName(path)} for ${timeout} ms. Look for one that was stopped, and end it.`
        throw new SkillError('TIMED_OUT', message, { path })
      }
      await pause(MIN_PAUSE_MS + Math.random() * MAX_PAUSE_MS)
    }
  }

  function inTransaction<T>(work: () => T): T {
    database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      database.exec('COMMIT')
      return value
    } catch (error) {
      try {
        database.exec('ROLLBACK')
      } catch {
        // If the disk is full or the database was closed, there may be nothing to roll back.
      }
      throw error
    }
  }

  const headOf = (session: string): Head | undefined =>
    database.prepare(HEAD).get(tenant, session) as unknown as Head | undefined
  const putHead = (session: string, { token, leasedUntil, version, expires }: Head): void => {
    database.prepare(PUT_HEAD).run(tenant, session, token, leasedUntil, version, expires)
  }

  try {
    await transact(() => database.exec(CREATE))
  } catch (error) {
    database.close()
    throw error
  }

  return {
    tenant,
    acquire: async (session, leaseOptions) => {
      checkSessionId(session)
      checkSessionOptions('acquire', leaseOptions)
      return transact(() => {
        const now = Date.now()
        const head = headOf(session)
        if (head !== undefined && head.leasedUntil > now) return undefined
        const kept = head !== undefined && head.expires > now ? head : { version: 0, expires: 0 }
        const { last } = database.prepare('UPDATE tokens SET last = last + 1 RETURNING last').get() as { last: number }
        putHead(session, { ...kept, token: last, leasedUntil: now + leaseOptions.duration })
        return { session, token: last }
      })
    },
    renew: async ({ session, token }, leaseOptions) => {
      checkSessionOptions('renew', leaseOptions)
      return transact(() => {
        const head = headOf(session)
        if (head?.token !== token) return false
        putHead(session, { ...head, leasedUntil: Date.now() + leaseOptions.duration })
        return true
      })
    },
    release: ({ session, token }) =>
      transact(() => {
        const head = headOf(session)
        if (head?.token === token) putHead(session, { ...head, leasedUntil: 0 })
      }),
    load: async (session) => {
      checkSessionId(session)
      // One statement sees one state, and keeps no writer from the file.
      const row = await whenFree(() => database.prepare(LOAD).get(tenant, session))
      if (row === undefined || row['version'] === 0 || Number(row['expires']) <= Date.now()) return undefined
      const { version, saved } = row
      return { version: Number(version), saved: saved === null ? undefined : parsed(session, saved) }
    },
    save: async ({ session, token }, saved, saveOptions) => {
      checkSessionOptions('save', saveOptions)
      const { ifVersion, timeToLive } = saveOptions
      const text = JSON.stringify(saved)
      await transact(() => {
        const head = headOf(session)
        if (head?.token !== token) throw leaseLost(session)
        if (head.version !== ifVersion) throw versionConflict(session, head.version, ifVersion)
        putHead(session, { ...head, version: ifVersion + 1, expires: Date.now() + timeToLive })
        database.prepare(PUT_STATE).run(tenant, session, text)
      })
    },
    delete: ({ session, token }) =>
      transact(() => {
        if (headOf(session)?.token !== token) throw leaseLost(session)
        for (const table of ['heads', 'states']) {
          database.prepare(`DELETE FROM ${table} WHERE tenant = ? AND id = ?`).run(tenant, session)
        }
      }),
    sweep: () =>
      transact(() => {
        const now = Date.now()
        // An expired lease is kept for a while, because its owner can renew it if it was not taken.
        const times = [now, now - LEASE_GRACE_MS]
        database.prepare(SWEEP_STATES).run(...times)
        database.prepare('DELETE FROM heads WHERE expires <= ? AND leased_until <= ?').run(...times)
      }),
    close: () => database.close(),
  }
}

/** As a file is opened to be appended to, without waiting for the reader of a pipe. */
const MAKE_FLAGS =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_APPEND |
  ((constants as Partial<typeof constants>).O_NONBLOCK ?? 0)
/** Returns undefined while another process has the file. */
function unlessBusy<T>(run: () => T): { readonly value: T } | undefined {
  try {
    return { value: run() }
  } catch (error) {
    if ((error as { readonly errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw error
  }
}

/** SQLite would make it as readable as the process's other files are. */
function makeFile(path: string): void {
  try {
    const descriptor = openSync(path, MAKE_FLAGS, 0o600)
    try {
      if (!fstatSync(descriptor).isFile()) throw new Error('It is not a file.')
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The file of the session store ${showName(path)} cannot be opened (${reason}). Make its folder, and check its permissions.`
    throw new SkillError('FOLDER_NOT_WRITABLE', message, { path, cause: error })
  }
}
