import type { SweepResult } from '../engine.ts'
import { referencesIn } from '../heads/head.ts'
import { runScript, send, type RedisClient, type RedisReply } from './client.ts'
import type { RedisKeys } from './keys.ts'
import { FORGET, REMOVE_BLOBS } from './scripts.ts'

const BATCH = 500

/**
 * Removes old blobs to which no head refers. A write sets the time of its blobs in the step that writes the head, and the
 * step that removes them looks at it again: a blob of a head that was not there yet when the heads were read is not old.
 */
export async function sweepRedis(client: RedisClient, keys: RedisKeys, olderThanMs: number): Promise<SweepResult> {
  const [seconds] = (await send(client, ['TIME'])) as readonly RedisReply[]
  const before = String(Number(String(seconds)) * 1000 - olderThanMs)
  const old = new Set<string>()
  const candidates = (await send(client, ['ZRANGEBYSCORE', keys.touched, '-inf', `(${before}`])) as readonly Buffer[]
  for (const hash of candidates) old.add(hash.toString())
  for await (const tenant of scanned(client, 'SSCAN', keys.tenants)) {
    const [heads, changes, , floor, removed] = keys.ofTenant(tenant)
    for await (const text of scanned(client, 'HSCAN', heads)) for (const hash of referencesIn(text)) old.delete(hash)
    await runScript(client, FORGET, [heads, changes, floor, removed], [before])
  }
  let blobs = 0
  const unused = [...old]
  for (let at = 0; at < unused.length; at += BATCH) {
    const batch = unused.slice(at, at + BATCH)
    const names = [keys.touched, ...batch.map((hash) => keys.blob(hash))]
    blobs += Number(await runScript(client, REMOVE_BLOBS, names, [before, ...batch]))
  }
  return { blobs }
}

/** Everything in a set, or all fields and values of a hash. What is there all the time is there at least once. */
async function* scanned(client: RedisClient, command: 'SSCAN' | 'HSCAN', key: string): AsyncGenerator<string> {
  let cursor = '0'
  do {
    const [next, found] = (await send(client, [command, key, cursor, 'COUNT', String(BATCH)])) as [Buffer, Buffer[]]
    cursor = next.toString()
    for (const each of found) yield each.toString()
  } while (cursor !== '0')
}
