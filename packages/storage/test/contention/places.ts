import { S3 } from '@aws-sdk/client-s3'
import { isMissing, s3Options, startPostgres, startRedis, startS3 } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { openSessions, postgresEngine, redisEngine, s3Engine, type StorageEngine } from '../../src/index.ts'
import type { SessionStore } from '@repertoire/core'

export type EngineName = 'redis' | 'postgres' | 's3'

/** What one worker works with: its own client. */
export interface WorkerPlace {
  readonly engine: StorageEngine
  readonly sessions: SessionStore | undefined
  close(): Promise<void>
}

/** A server that is killed and started again. */
export interface EngineServer {
  /** What another process needs to reach it. */
  readonly address: string
  /** Ends it as a crash does. */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Connections of each process. */
const POOL = 2

/** Whether a server can be had here. */
export function isAvailable(name: EngineName): boolean {
  return name !== 'redis' || !isMissing('redis-server')
}

/** @param clients how many processes connect to it */
export async function startEngine(name: EngineName, clients = 1): Promise<EngineServer> {
  if (name === 'redis') {
    const server = await startRedis()
    return serverOf(server.path, () => server.stop(), server)
  }
  if (name === 'postgres') {
    const server = await startPostgres({ connections: 20 + POOL * clients })
    return serverOf(server.options('').host, () => server.kill(), server)
  }
  const server = await startS3()
  return serverOf(server.endpoint, () => server.stop(), server)
}

function serverOf(
  address: string,
  kill: () => Promise<void>,
  server: Pick<EngineServer, 'start' | 'close'>,
): EngineServer {
  return { address, kill, start: () => server.start(), close: () => server.close() }
}

/** Connects to a server, with clients that are set up as the documents say. */
export async function connect(name: EngineName, address: string): Promise<WorkerPlace> {
  if (name === 'redis') {
    const client = createClient({ socket: { path: address, tls: false } })
    client.on('error', () => {})
    await client.connect()
    const engine = redisEngine({ client })
    return { engine, sessions: await openSessions({ engine }), close: () => Promise.resolve(client.destroy()) }
  }
  if (name === 'postgres') {
    const pool = new Pool({ host: address, user: 'postgres', database: 'postgres', max: POOL })
    const engine = postgresEngine({ pool })
    return { engine, sessions: await openSessions({ engine }), close: () => pool.end() }
  }
  const client = new S3(s3Options(address))
  const engine = s3Engine({ client, bucket: 'bucket' })
  return { engine, sessions: undefined, close: () => Promise.resolve(client.destroy()) }
}
