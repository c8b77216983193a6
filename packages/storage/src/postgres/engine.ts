import { type OptionTable, checkOptions, required, withDefault } from '@repertoire/core/options'
import { batchesOf } from '../blobs.ts'
import { type Blob, ConnectionLostError, type StorageEngine, type StoredHead, type TenantListener } from '../engine.ts'
import { referencesIn } from '../heads/head.ts'
import {
  type PostgresPool,
  STATEMENT_TIMEOUT_MS,
  longQuery,
  meaningOf,
  query,
  tolerateLostConnections,
} from './client.ts'
import { poolKind, prepareSchema, schemaKind, tablesIn } from './schema.ts'
import { statementsFor } from './statements.ts'
import { retryDelay } from '../deadline.ts'

/** Blobs that go with the head, in one statement. Larger ones go before it. */
const MAX_INLINE_BYTES = 1024 * 1024

/** Options of `postgresEngine`. */
export interface PostgresEngineOptions {
  /**
   * A `Pool` of the package `pg`. It is used beside the host's own queries, and stays the host's to end. While changes are
   * watched, one of its connections is kept for that.
   */
  readonly pool: PostgresPool
  /** The schema of the tables, made when it is missing: lowercase letters, digits and `_`. Default `repertoire`. */
  readonly schema?: string | undefined
}

const OPTIONS: OptionTable<PostgresEngineOptions> = {
  pool: required(poolKind),
  schema: withDefault('repertoire', schemaKind),
}

interface PostgresCursor {
  readonly revision: string
  readonly started: string
}

/**
 * Keeps skills in PostgreSQL 12 or later, in three tables of a schema of their own. What is compared and written is one
 * statement.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function postgresEngine(options: PostgresEngineOptions): StorageEngine {
  checkOptions('postgresEngine', OPTIONS, options, 'postgresEngine({ pool })')
  const { pool, schema = 'repertoire' } = options
  const tables = tablesIn(schema)
  const sql = statementsFor(tables)
  const notifications = postgresNotifications(pool, tables.channel)
  const put = async (blobs: readonly Blob[]): Promise<void> => {
    for (const batch of batchesOf(blobs, ({ bytes }) => bytes.length)) await query(pool, sql.put, ...valuesOf(batch))
  }
  return {
    name: 'postgres',
    async open() {
      tolerateLostConnections(pool)
      await prepareSchema(pool, schema)
    },
    async read(tenant, skill) {
      const [head] = await query(pool, sql.read, tenant, skill)
      return head && headOf(head)
    },
    async readSeveral(tenant, skills) {
      const rows = await query(pool, sql.readSeveral, tenant, skills)
      return new Map(rows.map((row) => [row.skill, headOf(row)]))
    },
    async changes(tenant, cursor) {
      const known = cursor as PostgresCursor | undefined
      const rows = await query(pool, sql.changes, tenant, known?.revision ?? '-1', known?.started ?? '')
      const [first] = rows
      // This tenant has never written anything.
      if (first === undefined) return { cursor: undefined, isWhole: true, heads: new Map() }
      const heads = new Map<string, StoredHead | null>()
      for (const row of rows) {
        if (row.skill === null || (first.whole && row.text === null)) continue
        heads.set(row.skill, row.text === null ? null : headOf(row))
      }
      const next: PostgresCursor = { revision: first.revision, started: first.started }
      return { cursor: next, isWhole: first.whole, heads }
    },
    async write({ tenant, skill, expected, version, text, blobs }) {
      const total = blobs.reduce((sum, { bytes }) => sum + bytes.length, 0)
      const inline = total <= MAX_INLINE_BYTES ? blobs : []
      if (inline !== blobs) await put(blobs)
      const before = inline === blobs ? [] : [...new Set(blobs.map(({ hash }) => hash))]
      const head = [tenant, skill, expected ?? '', version, text, text === null ? [] : referencesIn(text)]
      const [outcome] = await query(pool, sql.write, ...valuesOf(inline), before, ...head)
      if (!outcome.complete)
        throw new ConnectionLostError('PostgreSQL', new Error('A file was swept while it was written.'))
      if (outcome.written) return version
      // A write that is repeated, since its answer was lost, finds itself.
      const [stored] = await query(pool, sql.versionOf, tenant, skill)
      return stored?.version === version ? version : undefined
    },
    async readBlobs(hashes) {
      const rows = await query(pool, sql.readBlobs, hashes)
      return new Map(rows.map(({ hash, bytes }) => [hash, bytes]))
    },
    async removeTenant(tenant) {
      await query(pool, sql.removeTenant(tenant))
    },
    async sweep(olderThanMs) {
      await longQuery(pool, sql.forget, olderThanMs)
      return { blobs: (await longQuery(pool, sql.sweepBlobs, olderThanMs)).length }
    },
    ...notifications,
  }
}

function headOf({ version, text }: { readonly version: string; readonly text: string }): StoredHead {
  return { token: version, text }
}

function valuesOf(blobs: readonly Blob[]): readonly [string[], Uint8Array[]] {
  return [
    blobs.map(({ hash }) => hash),
    blobs.map(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)),
  ]
}

/** Listens to one channel, on one connection of the pool while there is a listener. */
function postgresNotifications(pool: PostgresPool, channel: string): Required<Pick<StorageEngine, 'watch' | 'close'>> {
  const listeners = new Map<TenantListener, string>()
  /** What ends the connection. */
  let opened: Promise<() => void> | undefined
  let retry: NodeJS.Timeout | undefined

  const open = async (): Promise<() => void> => {
    const client = await pool.connect()
    let isOver = false
    const end = (): void => {
      // The client emits an error and then its end, but it must be released once.
      if (!isOver) client.release(true)
      isOver = true
    }
    const over = (error: unknown): void => {
      if (isOver) return
      end()
      opened = undefined
      if (listeners.size === 0) return
      for (const listener of listeners.keys()) listener.lost(error)
      again(1)
    }
    client.on('error', over)
    client.on('end', () => over(new Error('The connection has ended.')))
    client.on('notification', (message) => {
      const { payload } = message as { readonly payload?: string }
      for (const [listener, tenant] of listeners) if (tenant === payload) listener.changed()
    })
    try {
      await client.query({ text: `LISTEN "${channel}"`, query_timeout: STATEMENT_TIMEOUT_MS })
    } catch (error) {
      end()
      throw error
    }
    return end
  }

  const again = (tries: number): void => {
    retry = setTimeout(() => {
      if (listeners.size === 0) return
      const next = open()
      opened = next
      next.then(
        () => {
          // What was told meanwhile is lost.
          for (const listener of listeners.keys()) listener.changed()
        },
        () => {
          if (opened === next) opened = undefined
          again(tries + 1)
        },
      )
    }, retryDelay(tries))
    retry.unref()
  }

  const closeUnused = async (): Promise<void> => {
    if (listeners.size > 0) return
    clearTimeout(retry)
    const end = await opened?.catch(() => undefined)
    if (listeners.size > 0) return
    opened = undefined
    end?.()
  }
  return {
    async watch(tenant, listener) {
      if (pool.options?.max === 1) throw new TypeError('To watch takes one connection more: give the pool two.')
      listeners.set(listener, tenant)
      const opening = (opened ??= open())
      try {
        await opening
      } catch (error) {
        listeners.delete(listener)
        // Another listener may have begun to open the next one.
        if (opened === opening) opened = undefined
        throw meaningOf(error)
      }
      return async () => {
        if (listeners.delete(listener)) await closeUnused()
      }
    },
    async close() {
      listeners.clear()
      await closeUnused()
    },
  }
}
