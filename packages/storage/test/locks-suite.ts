import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from '../src/blobs.ts'
import type { Blob, StorageEngine } from '../src/engine.ts'
import { postgresEngine } from '../src/index.ts'

/** Runs calls while a statement holds its rows: each is started once those before it wait. Then the rows are free. */
export async function behind(
  pool: Pool,
  statement: string,
  calls: readonly (() => Promise<unknown>)[],
): Promise<readonly unknown[]> {
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query(statement)
  const started: Promise<unknown>[] = []
  for (const call of calls) {
    const each = call()
    each.catch(() => undefined)
    started.push(each)
    await waiting(pool, started.length)
  }
  await holder.query('rollback')
  holder.release()
  return Promise.all(started)
}

async function waiting(pool: Pool, number: number): Promise<void> {
  const text = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`
  while ((await pool.query<{ n: number }>(text)).rows[0]!.n < number)
    await new Promise((resolve) => setImmediate(resolve))
}

/** Blobs of texts, in the order of their hashes. */
function sorted(texts: readonly string[]): readonly Blob[] {
  return texts
    .map((text) => ({ hash: hashOf(text), bytes: Buffer.from(text) }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** Calls of the engine itself: nobody repeats one that the server breaks off because of a deadlock. */
export function locksSuite(pool: () => Pool): void {
  describe('PostgreSQL, one step at a time', () => {
    let engine: StorageEngine
    const [first, second] = sorted(['one', 'two']) as [Blob, Blob]

    const empty = () => pool().query('truncate steps.blobs, steps.heads, steps.tenants')
    beforeAll(async () => {
      engine = postgresEngine({ pool: pool(), schema: 'steps' })
      await engine.open()
    })
    beforeEach(empty)

    const write = (expected: string | undefined, blobs: readonly Blob[] | null, skill = 'pdf', tenant = 'acme') => {
      const text = blobs && JSON.stringify({ shape: 1, files: blobs.map(({ hash }) => ['a', hash, 1, 0]) })
      return engine.write({ tenant, skill, expected, version: randomUUID(), text, blobs: blobs ?? [] })
    }
    const age = async (): Promise<void> => {
      await pool().query(`update steps.blobs set touched = now() - interval '2 days'`)
      await pool().query(`update steps.heads set changed = now() - interval '2 days'`)
    }
    const sweep = (): Promise<{ blobs: number }> => engine.sweep(60 * 60 * 1000)

    it('[LIB-8] a sweep that forgets a removed skill, and a writer who makes it again, wait for each other and both get on', async () => {
      for (const isSweepFirst of [true, false]) {
        await empty()
        await write(await write(undefined, [first]), null)
        await age()
        const calls = [sweep, () => write(undefined, [first])]
        await behind(pool(), 'select from steps.heads for update', isSweepFirst ? calls : calls.toReversed())
        expect((await engine.readBlobs([first.hash])).size).toBe(1)
        expect(await engine.read('acme', 'pdf')).toBeDefined()
      }
    })

    it('[LIB-8] a sweep and a writer of the same files lock them in one order, and none of the files is lost', async () => {
      for (const isSweepFirst of [true, false]) {
        await empty()
        const files = sorted(Array.from({ length: 8 }, (_, number) => String(number)))
        await write(await write(undefined, files.toReversed()), null)
        await age()
        const calls = [sweep, () => write(undefined, files, 'pdf', 'other')]
        await behind(
          pool(),
          `select from steps.blobs where hash = '${files[0]!.hash}' for update`,
          isSweepFirst ? calls : calls.toReversed(),
        )
        expect((await engine.readBlobs(files.map(({ hash }) => hash))).size).toBe(8)
      }
    })

    it('[LIB-8, LIB-7] a write that is based on a skill of a tenant who is removed meanwhile is refused', async () => {
      const token = await write(undefined, [first])
      const [, written] = await behind(pool(), 'select from steps.heads for update', [
        () => engine.removeTenant('acme'),
        () => write(token, [second]),
      ])
      expect(written).toBeUndefined()
      expect(await engine.read('acme', 'pdf')).toBeUndefined()
    })

    it('[LIB-8] no tenant is removed by a text that is not a part of a key', async () => {
      await write(undefined, [first])
      for (const tenant of ["x' OR 'a' = 'a", '\\', 'acme\n', '']) {
        await expect(engine.removeTenant(tenant)).rejects.toThrow('A tenant is a part of a key.')
      }
      expect(await engine.read('acme', 'pdf')).toBeDefined()
    })

    it('[LIB-8] a skill that is made while its tenant is removed is either gone or in the list', async () => {
      await write(undefined, [first])
      const [, made] = await behind(pool(), 'select from steps.heads for update', [
        () => engine.removeTenant('acme'),
        () => write(undefined, [second], 'new'),
      ])
      expect(made).toBeDefined()
      expect([...(await engine.changes('acme')).heads.keys()]).toEqual(['new'])
      await behind(pool(), 'select from steps.tenants for update', [
        () => write(undefined, [second], 'newer'),
        () => engine.removeTenant('acme'),
      ])
      expect(await engine.read('acme', 'newer')).toBeUndefined()
      expect([...(await engine.changes('acme')).heads.keys()]).toEqual([])
    })
  })
}
