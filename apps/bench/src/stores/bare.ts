import { createHash } from 'node:crypto'
import type { StorageEngine } from '@repertoire/storage'

export type EngineId = 'redis' | 'postgres' | 's3'

/** A server of this run's own, with what a program would do on it by hand. */
export interface StoreServer {
  readonly engine: StorageEngine
  /** Reads what is stored under a name, and replaces it on the condition that it is the same still. */
  readonly save: (name: string, text: string) => Promise<void>
  /** Reads all that is stored, and returns how much it is. */
  readonly load: () => Promise<number>
  readonly close: () => Promise<void>
}

/** Those whose server can be had here start; the reason where one cannot. */
export const SERVERS: Readonly<Record<EngineId, () => Promise<StoreServer | { readonly absent: string }>>> = {
  async redis() {
    const { isMissing, startRedis } = await import('@repertoire/test-servers')
    if (isMissing('redis-server')) return { absent: 'redis-server is not installed' }
    const [{ createClient }, { redisEngine }, server] = await Promise.all([
      import('redis'),
      import('@repertoire/storage'),
      startRedis(),
    ])
    const client = createClient({ socket: { path: server.path, tls: false } })
    client.on('error', () => {})
    await client.connect()
    const script = `if (redis.call('HGET', KEYS[1], ARGV[1]) or '') == ARGV[2] then
      redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
      return 1
    end
    return 0`
    return {
      engine: redisEngine({ client }),
      async save(name, text) {
        const before = await client.hGet('bare', name)
        const done = await client.eval(script, { keys: ['bare'], arguments: [name, before ?? '', text] })
        if (done !== 1) throw new Error('Error: a bare write was refused.')
      },
      load: async () => Object.keys(await client.hGetAll('bare')).length,
      async close() {
        client.destroy()
        await server.close()
      },
    }
  },
  async postgres() {
    const [{ Pool }, { postgresEngine }, { startPostgres }] = await Promise.all([
      import('pg'),
      import('@repertoire/storage'),
      import('@repertoire/test-servers'),
    ])
    const server = await startPostgres()
    const pool = new Pool({ ...server.options('postgres'), max: 10 })
    pool.on('error', () => {})
    await pool.query('create table bare (name text primary key, version bigint not null, text text not null)')
    return {
      engine: postgresEngine({ pool }),
      async save(name, text) {
        const { rows } = await pool.query<{ version: string }>('select version from bare where name = $1', [name])
        const { rowCount } =
          rows[0] === undefined
            ? await pool.query('insert into bare values ($1, 1, $2)', [name, text])
            : await pool.query('update bare set text = $2, version = version + 1 where name = $1 and version = $3', [
                name,
                text,
                rows[0].version,
              ])
        if (rowCount !== 1) throw new Error('Error: a bare write was refused.')
      },
      load: async () => (await pool.query('select name, text from bare')).rows.length,
      async close() {
        await pool.end()
        await server.close()
      },
    }
  },
  async s3() {
    const [{ AwsClient }, { s3Engine }, { startS3 }] = await Promise.all([
      import('aws4fetch'),
      import('@repertoire/storage'),
      import('@repertoire/test-servers'),
    ])
    const server = await startS3()
    const credentials = { accessKeyId: 'test', secretAccessKey: 'secret' }
    const client = new AwsClient({ ...credentials, service: 's3', region: 'us-east-1', retries: 0 })
    const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
      const headers = { ...(init.headers as object), 'x-amz-content-sha256': digestOf((init.body as string) ?? '') }
      return client.fetch(`${server.bucket}/${path}`, { ...init, headers })
    }
    return {
      engine: s3Engine({ bucket: server.bucket, credentials }),
      async save(name, text) {
        const before = await ask(`bare/${name}`)
        await before.arrayBuffer()
        const etag = before.headers.get('etag')
        const headers: Record<string, string> =
          before.ok && etag !== null ? { 'if-match': etag } : { 'if-none-match': '*' }
        const done = await ask(`bare/${name}`, { method: 'PUT', body: text, headers })
        await done.arrayBuffer()
        if (!done.ok) throw new Error('Error: a bare write was refused.')
      },
      async load() {
        const listing = await (await ask('?list-type=2&prefix=bare/')).text()
        const keys = [...listing.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key)
        let loaded = 0
        const next = keys.values()
        const work = async (): Promise<void> => {
          for (const key of next) {
            await (await ask(key)).text()
            loaded++
          }
        }
        await Promise.all(Array.from({ length: 32 }, work))
        return loaded
      },
      close: () => server.close(),
    }
  },
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
