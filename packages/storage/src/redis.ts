import { createHash, randomUUID } from 'node:crypto'
import { SkillError } from '@repertoire/core'
import { type OptionTable, checkOptions, required, withDefault, withMethods } from '@repertoire/core/options'
import { batchesOf } from './files.ts'
import { textLike } from './namespace.ts'
import { ConnectionLostError, referencesIn, type StorageEngine } from './engine.ts'

/** A reply of Redis whose texts are bytes. */
type RedisReply = Buffer | number | null | readonly RedisReply[]

/** What is used of a client of the package `redis`, one that `createClient` returns. */
export interface RedisClient {
  readonly isOpen: boolean
  sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>
}

/** Options of `redisEngine`. */
export interface RedisEngineOptions {
  /** A connected client of the package `redis`, used beside your own calls. You close it. */
  readonly client: RedisClient
  /** The beginning of all keys: letters, digits, `-`, `_` and `:`. Default `repertoire`. */
  readonly prefix?: string | undefined
}

const OPTIONS: OptionTable<RedisEngineOptions> = {
  client: required(withMethods('a client of the package "redis"', 'sendCommand')),
  prefix: withDefault('repertoire', textLike('1 to 64 letters, digits, "-", "_" and ":"', /^[\w:-]{1,64}$/)),
}

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

/** KEYS: record. ARGV: the known token. Returns the time, the token, and the text unless it is known. */
const READ = `${NOW}
local token = redis.call('HGET', KEYS[1], 'token')
if not token then return { now } end
if token == ARGV[1] then return { now, token } end
return { now, token, redis.call('HGET', KEYS[1], 'text') }`

/** KEYS: touched, and files. ARGV: a hash and the bytes, for each. A sweep knows a file before it is there. */
const PUT = `${NOW}
for i = 2, #KEYS do
  redis.call('ZADD', KEYS[1], now, ARGV[2 * i - 3])
  redis.call('SET', KEYS[i], ARGV[2 * i - 2])
end
return 1`

/**
 * KEYS: record, touched, the set of records that refer to files, and the new files. ARGV: expected, token, text, the
 * milliseconds until it expires, 1 if it refers to files, and the hashes. Returns 1: written; 0: another token is
 * there; 2: a file was swept.
 */
const REPLACE = `${NOW}
if (redis.call('HGET', KEYS[1], 'token') or '') ~= ARGV[1] then return 0 end
for i = 4, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 0 then return 2 end
  redis.call('ZADD', KEYS[2], now, ARGV[i + 2])
end
redis.call('HSET', KEYS[1], 'token', ARGV[2], 'text', ARGV[3])
if ARGV[4] ~= '' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
if ARGV[5] == '1' then redis.call('SADD', KEYS[3], KEYS[1]) else redis.call('SREM', KEYS[3], KEYS[1]) end
return 1`

/** KEYS: touched, and files. ARGV: the time before which one is old, and the hashes. Returns how many were removed. */
const REMOVE = `
local removed = 0
for i = 2, #KEYS do
  local touched = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if touched and tonumber(touched) < tonumber(ARGV[1]) then
    redis.call('DEL', KEYS[i])
    redis.call('ZREM', KEYS[1], ARGV[i])
    removed = removed + 1
  end
end
return removed`

const BATCH = 500

/**
 * Keeps records and files in Redis 6.2 or later, or in Valkey. What is compared and written runs as one script. All
 * keys have one hash tag, so that in a cluster they are on one node.
 * @throws {TypeError} an option is unknown or has the wrong type
 */
export function redisEngine(options: RedisEngineOptions): StorageEngine {
  checkOptions('redisEngine', OPTIONS, options, 'redisEngine({ client })')
  const { client, prefix = 'repertoire' } = options
  const keyOf = (kind: string, name: string): string => `{${prefix}}:${kind}:${name}`
  const touched = `{${prefix}}:touched`
  const referring = `{${prefix}}:referring`
  const run = (script: string, keys: readonly string[], ...args: (string | Buffer)[]): Promise<RedisReply> =>
    runScript(client, script, keys, args)
  return {
    name: 'redis',
    async open() {
      if (!client.isOpen) throw new TypeError('redisEngine: the client is not connected. Call its connect() first.')
      const info = String(await send(client, ['INFO', 'memory']))
      const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? ''
      if (!policy.startsWith('allkeys') || /^maxmemory:0\b/m.test(info)) return
      const message = `The storage "redis" is not used: when its memory is full it drops keys (maxmemory-policy ${policy}), skills among them. Set maxmemory-policy to noeviction, or use another server.`
      throw new SkillError('STORAGE_UNSUITABLE', message)
    },
    async read(key, known = '') {
      const reply = (await run(READ, [keyOf('record', key)], known)) as readonly RedisReply[]
      const [now, token, text] = reply.map(String)
      return { now: Number(now), token, text }
    },
    async replace({ key, expected = '', text, files = [], expiresIn }) {
      const token = randomUUID()
      const puts = batchesOf(files, ({ bytes }) => bytes.length).map((batch) =>
        run(
          PUT,
          [touched, ...batch.map(({ hash }) => keyOf('file', hash))],
          ...batch.flatMap(({ hash, bytes }) => [hash, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)]),
        ),
      )
      const keys = [keyOf('record', key), touched, referring, ...files.map(({ hash }) => keyOf('file', hash))]
      const time = expiresIn === undefined ? '' : String(Math.ceil(expiresIn))
      const refers = /"[0-9a-f]{64}"/.test(text) ? '1' : '0'
      const written = run(REPLACE, keys, expected, token, text, time, refers, ...files.map(({ hash }) => hash))
      // All are sent at once: the server runs them one after the other.
      const [outcome] = await Promise.all([written, ...puts])
      if (outcome === 2) throw new ConnectionLostError('Redis', new Error('A file was swept while it was written.'))
      return outcome === 1 ? token : undefined
    },
    async readFiles(hashes) {
      if (hashes.length === 0) return new Map()
      const reply = (await send(client, ['MGET', ...hashes.map((hash) => keyOf('file', hash))])) as (Buffer | null)[]
      return new Map(hashes.flatMap((hash, at) => (reply[at] ? [[hash, reply[at]] as const] : [])))
    },
    // A write sets its files' time in the step that refers to them; the step that removes files looks at it again.
    async sweep(olderThanMs) {
      const [seconds] = (await send(client, ['TIME'])) as readonly RedisReply[]
      const before = String(Number(String(seconds)) * 1000 - olderThanMs)
      const old = (await send(client, ['ZRANGEBYSCORE', touched, '-inf', `(${before}`])) as readonly Buffer[]
      const unused = new Set(old.map(String))
      for (const key of (await send(client, ['SMEMBERS', referring])) as readonly Buffer[]) {
        const text = await send(client, ['HGET', String(key), 'text'])
        for (const hash of referencesIn(String(text))) unused.delete(hash)
      }
      const hashes = [...unused]
      let files = 0
      for (let at = 0; at < hashes.length; at += BATCH) {
        const batch = hashes.slice(at, at + BATCH)
        files += Number(await run(REMOVE, [touched, ...batch.map((hash) => keyOf('file', hash))], before, ...batch))
      }
      return { files }
    },
  }
}

/** Runs a script, which the server keeps after the first time. */
async function runScript(
  client: RedisClient,
  script: string,
  keys: readonly string[],
  args: readonly (string | Buffer)[],
): Promise<RedisReply> {
  const rest = [String(keys.length), ...keys, ...args]
  const digest = createHash('sha1').update(script).digest('hex')
  try {
    return await send(client, ['EVALSHA', digest, ...rest])
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return send(client, ['EVAL', script, ...rest])
  }
}

/** Errors that pass: it starts, a replica takes over, a script runs. */
const PASSING = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|UNKILLABLE|NOREPLICAS)\b/

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^OOM\b/, 'Its memory is full: give it more, or sweep'],
  [/^(?:NOAUTH|WRONGPASS|NOPERM)\b/, 'Give the client a user that may use its keys and scripts'],
  [/^MISCONF\b/, 'It cannot save to its disk: see its log'],
]

/** Sends a command, with replies as bytes (types of the protocol for texts), and says what an error means. */
async function send(client: RedisClient, args: readonly (string | Buffer)[]): Promise<RedisReply> {
  try {
    return (await client.sendCommand(args, { typeMapping: { 36: Buffer, 43: Buffer, 61: Buffer } })) as RedisReply
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // Its own errors begin with a word in capitals. All others are of the connection.
    if (!/^[A-Z]+ /.test(message) || PASSING.test(message)) throw new ConnectionLostError('Redis', error)
    const remedy = REMEDIES.find(([pattern]) => pattern.test(message))?.[1]
    if (remedy === undefined) throw error
    throw new SkillError('STORAGE_UNAVAILABLE', `Redis refuses a call (${message}). ${remedy}.`, { cause: error })
  }
}
