import { createHash } from 'node:crypto'
import { SkillError } from '@repertoire/core'
import { ConnectionLostError } from '../engine.ts'

/** A reply of Redis whose texts are bytes. */
export type RedisReply = Buffer | number | null | readonly RedisReply[]

/** What is used of a client of the package `redis`, one that `createClient` returns. */
export interface RedisClient {
  readonly isOpen: boolean
  sendCommand(args: readonly (string | Buffer)[], options?: object): Promise<unknown>
  duplicate(): RedisSubscriber
  on(event: string, listener: (...args: unknown[]) => void): unknown
  off(event: string, listener: (...args: unknown[]) => void): unknown
}

/** What is used of a client that listens. */
export interface RedisSubscriber {
  connect(): Promise<unknown>
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  unsubscribe(channel: string, listener: (message: string) => void): Promise<void>
  on(event: string, listener: (...args: unknown[]) => void): unknown
  destroy(): void
}

/** Replies as bytes: the types of the protocol for texts, simple texts and verbatim ones. */
const AS_BYTES = { typeMapping: { 36: Buffer, 43: Buffer, 61: Buffer } }

/** Errors that pass: it starts, a replica takes over, a script runs. */
const PASSING = /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY|UNKILLABLE|NOREPLICAS)\b/

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^OOM\b/, 'Its memory is full: give it more, or sweep'],
  [/^(?:NOAUTH|WRONGPASS|NOPERM)\b/, 'Give the client a user that may use its keys, scripts and channels'],
  [/^MISCONF\b/, 'It cannot save to its disk: see its log'],
]

/** Sends a command, and says what an error means. */
export async function send(client: RedisClient, args: readonly (string | Buffer)[]): Promise<RedisReply> {
  try {
    return (await client.sendCommand(args, AS_BYTES)) as RedisReply
  } catch (error) {
    throw meaningOf(error)
  }
}

/** Runs a script, which the server keeps after the first time. */
export async function runScript(
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

/** What an error of the server, or of the way to it, means. */
export function meaningOf(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error)
  // Its own errors begin with a word in capitals. All others are of the connection.
  if (!/^[A-Z]+ /.test(message) || PASSING.test(message)) return new ConnectionLostError('Redis', error)
  const remedy = REMEDIES.find(([pattern]) => pattern.test(message))?.[1]
  if (remedy === undefined) return error
  return new SkillError('STORAGE_UNAVAILABLE', `Redis refuses a call (${message}). ${remedy}.`, { cause: error })
}
