import { type SkillContent } from '@repertoire/core'
import { renderSkill } from '@repertoire/core/authoring'
import { openSkillStores, postgresEngine, redisEngine, type StorageEngine } from '@repertoire/storage'
import { isMissing, startPostgres, startRedis } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { type Pair, steady, timed } from '../statistics.ts'

export type EngineId = 'redis' | 'postgres'

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
    if (isMissing('redis-server')) throw new Error('redis-server is not installed')
    const server = await startRedis()
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
    const server = await startPostgres()
    const pool = new Pool({ ...server.options('postgres'), max: 10 })
    pool.on('error', () => {})
    await pool.query('create table bare (name text primary key, version bigint not null, text text not null)')
    const upsert = `insert into bare values ($1, 1, $2)
      on conflict (name) do update set text = $2, version = bare.version + 1 where bare.version = $3`
    return {
      engine: postgresEngine({ pool }),
      async save(name, text) {
        const { rows } = await pool.query<{ version: string }>('select version from bare where name = $1', [name])
        const { rowCount } = await pool.query(upsert, [name, text, rows[0]?.version ?? 0])
        if (rowCount !== 1) throw new Error('A bare write was refused.')
      },
      async close() {
        await pool.end()
        await server.close()
      },
    }
  },
}
