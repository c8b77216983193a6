import type { Pool } from 'pg'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from '../src/files.ts'
import type { StorageEngine, StoredFile } from '../src/engine.ts'
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

/** StoredFiles of texts, in the order of their hashes. */
function sorted(texts: readonly string[]): readonly StoredFile[] {
  return texts
    .map((text) => ({ hash: hashOf(text), bytes: Buffer.from(text) }))
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
}

/** Calls of the engine itself: nobody repeats one that the server breaks off because of a deadlock. */
export function locksSuite(pool: () => Pool): void {
  describe('PostgreSQL, one step at a time', () => {
    let engine: StorageEngine
    const [first, second] = sorted(['one', 'two']) as [StoredFile, StoredFile]

    const empty = () => pool().query('truncate steps.files, steps.records')
    beforeAll(async () => {
      engine = postgresEngine({ pool: pool(), schema: 'steps' })
      await engine.open()
    })
    beforeEach(empty)

    const replace = (expected: string | undefined, files: readonly StoredFile[], key = 'skills/acme') =>
      engine.replace({ key, expected, text: JSON.stringify(files.map(({ hash }) => hash)), files })
    const age = () => pool().query(`update steps.files set touched = now() - interval '2 days'`)
    const sweep = (): Promise<{ files: number }> => engine.sweep(60 * 60 * 1000)

    it('[LIB-8] a sweep and a writer of the same files lock them in one order, and none of the files is lost', async () => {
      for (const isSweepFirst of [true, false]) {
        await empty()
        const files = sorted(Array.from({ length: 8 }, (_, number) => String(number)))
        await replace(await replace(undefined, files.toReversed()), [])
        await age()
        const calls = [sweep, () => replace(undefined, files, 'skills/other')]
        await behind(
          pool(),
          `select from steps.files where hash = '${files[0]!.hash}' for update`,
          isSweepFirst ? calls : calls.toReversed(),
        )
        expect((await engine.readFiles(files.map(({ hash }) => hash))).size).toBe(8)
      }
    })

    it('[LIB-8, LIB-7] of two writes that are based on the same record, one happens', async () => {
      const token = await replace(undefined, [first])
      const outcomes = await behind(pool(), 'select from steps.records for update', [
        () => replace(token, [first]),
        () => replace(token, [second]),
      ])
      expect(outcomes.filter((each) => each !== undefined)).toHaveLength(1)
    })
  })
}
