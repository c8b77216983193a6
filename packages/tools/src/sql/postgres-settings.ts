import type { Ask } from './postgres-connection.ts'

/** What a session has set for itself, by name. */
export type SessionSettings = ReadonlyMap<unknown, unknown>

/** Reads what the session of a connection has set for itself. */
export async function sessionSettings(ask: Ask): Promise<SessionSettings> {
  const { rows } = await ask(`select name, setting from pg_catalog.pg_settings where source = 'session'`)
  return new Map(rows.map(([name, setting]) => [name, setting]))
}

/**
 * Puts settings back that a statement has changed for longer than its transaction. No function needs to be called for
 * that: `pg_settings` is a view that can be updated. The next statement on the connection is the host's.
 */
export async function putBack(ask: Ask, before: SessionSettings): Promise<void> {
  const after = await sessionSettings(ask)
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(name) === after.get(name)) continue
    if (before.has(name)) await ask('select pg_catalog.set_config($1, $2, false)', [name, before.get(name)])
    else await ask(`reset "${String(name).replaceAll('"', '""')}"`)
  }
}
