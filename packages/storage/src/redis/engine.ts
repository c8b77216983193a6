import { SkillError } from '@repertoire/core'
import { type OptionTable, checkOptions, required, withDefault } from '@repertoire/core/options'
import {
  type Blob,
  ConnectionLostError,
  type HeadChanges,
  type HeadWrite,
  type StorageEngine,
  type StoredHead,
  type SweepResult,
} from '../engine.ts'
import { batchesOf } from '../blobs.ts'
import { type RedisClient, type RedisReply, runScript, send } from './client.ts'
import { type RedisKeys, clientKind, prefixKind, redisKeys } from './keys.ts'
import { redisNotifications } from './notifications.ts'
import { CHANGES, FORGET, PUT, REMOVE_BLOBS, REMOVE_TENANT, WRITE } from './scripts.ts'
import { referencesIn } from '../heads/head.ts'

/** Blobs that go with the head, in one script. Larger ones go before it. */
const MAX_INLINE_BYTES = 1024 * 1024

/** Options of `redisEngine`. */
export interface RedisEngineOptions {
  /**
   * A connected client of the package `redis`. It is used beside the host's own calls, and stays the host's to close. One
   * more connection is opened, like it, while changes are watched.
   */
  readonly client: RedisClient
  /** The beginning of all keys and channels: letters, digits, `-`, `_` and `:`. Default `repertoire`. */
  readonly prefix?: string | undefined
}

const OPTIONS: OptionTable<RedisEngineOptions> = {
  client: required(clientKind),
  prefix: withDefault('repertoire', prefixKind),
}

/** What is known of a tenant's heads: of which connection, since a server that comes back may have lost some, and up to where. */
interface RedisCursor {
  readonly connection: number
  readonly revision: string
}

/**
 * Keeps skills in Redis 6.2 or later, or in Valkey: one hash of heads for each tenant, and a string for each blob. What is
 * compared and written runs as one script. All keys have one hash tag, so that in a cluster they are on one node.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function redisEngine(options: RedisEngineOptions): StorageEngine {
  checkOptions('redisEngine', OPTIONS, options, 'redisEngine({ client })')
  const { client, prefix = 'repertoire' } = options
  const keys = redisKeys(prefix)
  const notifications = redisNotifications(client, keys)
  let connection = 0
  const reconnected = (): void => void connection++
  const put = (blobs: HeadWrite['blobs']): readonly Promise<RedisReply>[] =>
    batchesOf(blobs, ({ bytes }) => bytes.length).map((batch) =>
      runScript(
        client,
        PUT,
        [keys.touched, ...batch.map(({ hash }) => keys.blob(hash))],
        batch.flatMap((blob) => [blob.hash, bytesOf(blob)]),
      ),
    )
  return {
    name: 'redis',
    async open() {
      if (!client.isOpen) throw new TypeError('redisEngine: the client is not connected. Call its connect() first.')
      const info = textOf(await send(client, ['INFO', 'memory']))
      const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? ''
      const limit = /^maxmemory:(\d+)/m.exec(info)?.[1]
      if (policy.startsWith('allkeys') && limit !== '0') throw evicting(policy)
      client.off('ready', reconnected)
      client.on('ready', reconnected)
    },
    async read(tenant, skill) {
      return headOf(await send(client, ['HGET', keys.heads(tenant), skill])) ?? undefined
    },
    async readSeveral(tenant, skills) {
      const reply = (await send(client, ['HMGET', keys.heads(tenant), ...skills])) as readonly RedisReply[]
      const found = new Map<string, StoredHead>()
      for (const [at, skill] of skills.entries()) {
        const head = headOf(reply[at] ?? null)
        if (head !== null) found.set(skill, head)
      }
      return found
    },
    async changes(tenant, cursor): Promise<HeadChanges> {
      const known = cursor as RedisCursor | undefined
      const asked = connection
      const since = known?.connection === asked ? known.revision : ''
      const [heads, changes, revision, floor] = keys.ofTenant(tenant)
      const reply = await runScript(client, CHANGES, [heads, changes, revision, floor], [since])
      const [now, isWhole, found] = reply as readonly [RedisReply, RedisReply, readonly RedisReply[]]
      const changed = new Map<string, StoredHead | null>()
      for (let at = 0; at < found.length; at += 2) changed.set(textOf(found[at]!), headOf(found[at + 1]!))
      return { cursor: { connection: asked, revision: textOf(now) }, isWhole: isWhole === 1, heads: changed }
    },
    async write({ tenant, skill, expected, version, text, blobs }) {
      const unique = [...new Map(blobs.map((blob) => [blob.hash, blob])).values()]
      const isSmall = unique.reduce((sum, { bytes }) => sum + bytes.length, 0) <= MAX_INLINE_BYTES
      const names = [...keys.ofTenant(tenant), keys.tenants, keys.touched, ...unique.map(({ hash }) => keys.blob(hash))]
      const head = [tenant, skill, expected ?? '', version, text ?? '', keys.channel(tenant)]
      const args = [...head, ...unique.map(({ hash }) => hash), ...(isSmall ? unique.map(bytesOf) : [])]
      // One after the other at the server, without waiting for the answers in between.
      const sent = [...(isSmall ? [] : put(unique)), runScript(client, WRITE, names, args)]
      const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      const outcome = await sent.at(-1)
      if (outcome === 2) throw new ConnectionLostError('Redis', new Error('A file was swept while it was written.'))
      return outcome === 1 ? version : undefined
    },
    async readBlobs(hashes) {
      if (hashes.length === 0) return new Map()
      const reply = (await send(client, [
        'MGET',
        ...hashes.map((hash) => keys.blob(hash)),
      ])) as readonly (Buffer | null)[]
      return new Map(hashes.flatMap((hash, at) => (reply[at] ? [[hash, reply[at]] as const] : [])))
    },
    async removeTenant(tenant) {
      await runScript(client, REMOVE_TENANT, [...keys.ofTenant(tenant), keys.tenants], [tenant, keys.channel(tenant)])
    },
    sweep: (olderThanMs): Promise<SweepResult> => sweepRedis(client, keys, olderThanMs),
    watch: notifications.watch,
    async close() {
      client.off('ready', reconnected)
      await notifications.close()
    },
  }
}

function bytesOf({ bytes }: Blob): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** A head as it is kept; null for one that was removed. */
function headOf(reply: RedisReply): StoredHead | null {
  if (reply === null) return null
  const kept = textOf(reply)
  const at = kept.indexOf('\n')
  return at === kept.length - 1 ? null : { token: kept.slice(0, at), text: kept.slice(at + 1) }
}

function textOf(reply: RedisReply): string {
  return Buffer.isBuffer(reply) ? reply.toString('utf8') : String(reply)
}

function evicting(policy: string): SkillError {
  const message = `The storage "redis" is not used: when its memory is full it drops keys (maxmemory-policy ${policy}), skills among them. Set maxmemory-policy to noeviction, or use another server.`
  return new SkillError('STORAGE_UNSUITABLE', message)
}

const BATCH = 500

/**
 * Removes old blobs to which no head refers. A write sets the time of its blobs in the step that writes the head, and the
 * step that removes them looks at it again: a blob of a head that was not there yet when the heads were read is not old.
 */
async function sweepRedis(client: RedisClient, keys: RedisKeys, olderThanMs: number): Promise<SweepResult> {
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
