import { createHash } from 'node:crypto'
import { renderSkill, type SkillContent } from '@repertoire/core'
import { openSkillStores, type StorageEngine } from '@repertoire/storage'
import type { Pair } from '../job.ts'
import { steady, timed } from '../statistics.ts'

export type EngineId = 'redis' | 'postgres' | 's3'

const SKILLS = 100
const SAVES = 200

/**
 * Saves skills of two kilobytes over others, in turns with the bare client, which replaces a record if nobody else has
 * changed it.
 * @throws {Error} if the engine's server cannot start here
 */
export async function timeSaves(id: EngineId, saves = SAVES): Promise<Pair> {
  const server = await SERVERS[id]()
  try {
    const store = (await openSkillStores({ engine: server.engine, layer: 'project' })).tenant('bench')
    const own: number[] = []
    const base: number[] = []
    // The first save of each skill adds it, and does not count.
    for (let turn = 0; turn < SKILLS + saves; turn++) {
      const name = `skill-${turn % SKILLS}`
      const content = contentOf(name, turn)
      // A program without our store also has to make the text.
      const saveBare = async (): Promise<void> => server.save(name, await renderSkill(content))
      const times = [await timed(() => store.save(content)), await timed(saveBare)] as const
      if (turn < SKILLS) continue
      own.push(times[0])
      base.push(times[1])
    }
    return { own: steady(own), base: steady(base) }
  } finally {
    await server.close()
  }
}

function contentOf(name: string, turn: number): SkillContent {
  const content = `Step ${turn}. ${'Read the file, change what is wrong, and say what was changed.\n'.repeat(30)}`
  return { manifest: { name, description: `What ${name} is for.` }, definition: { type: 'instruction', content } }
}

/** A server of this process, with a save as a program would write it by hand. */
interface StoreServer {
  readonly engine: StorageEngine
  /** Reads what is stored under a name, and replaces it if it is still the same. */
  readonly save: (name: string, text: string) => Promise<void>
  readonly close: () => Promise<void>
}

const SERVERS: Readonly<Record<EngineId, () => Promise<StoreServer>>> = {
  async redis() {
    const { isMissing, startRedis } = await import('@repertoire/test-servers')
    if (isMissing('redis-server')) throw new Error('redis-server is not installed')
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
        if (done !== 1) throw new Error('A bare write was refused.')
      },
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
        if (rowCount !== 1) throw new Error('A bare write was refused.')
      },
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
        if (!done.ok) throw new Error('A bare write was refused.')
      },
      close: () => server.close(),
    }
  },
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
