import type { SkillContent } from '@repertoire/core'
import { renderSkill } from '@repertoire/core/authoring'
import { openSkillStores, postgresEngine, redisEngine, type StorageEngine } from '@repertoire/storage'
import { isMissing, startPostgres, startRedis } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { createClient } from 'redis'
import type { Figures } from '../rows.ts'
import type { Jobs } from '../run.ts'
import { timeInTurns } from '../timing.ts'

const SKILLS = 100

/** Saves over other skills, and the bare client, which replaces a record unless it has changed. */
export const jobs: Jobs = {
  async postgres() {
    const server = await startPostgres()
    const pool = new Pool({ ...server.options('postgres'), max: 10 })
    pool.on('error', () => {})
    await pool.query('create table bare (name text primary key, version bigint not null, text text not null)')
    const upsert = `insert into bare values ($1, 1, $2)
      on conflict (name) do update set text = $2, version = bare.version + 1 where bare.version = $3`
    const saveBare = async (name: string, text: string): Promise<boolean> => {
      const { rows } = await pool.query<{ version: string }>('select version from bare where name = $1', [name])
      const { rowCount } = await pool.query(upsert, [name, text, rows[0]?.version ?? 0])
      return rowCount === 1
    }
    const figures = await measure(postgresEngine({ pool }), saveBare)
    await pool.end()
    await server.close()
    return figures
  },
  async redis() {
    if (isMissing('redis-server')) throw new Error('redis-server is not installed')
    const server = await startRedis()
    const client = createClient({ socket: { path: server.path, tls: false } })
    client.on('error', () => {})
    await client.connect()
    const script = `if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
      redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
      return 1`
    const saveBare = async (name: string, text: string): Promise<boolean> => {
      const before = (await client.hGet('bare', name)) ?? ''
      return (await client.eval(script, { keys: ['bare'], arguments: [name, before, text] })) === 1
    }
    const figures = await measure(redisEngine({ client }), saveBare)
    client.destroy()
    await server.close()
    return figures
  },
}

async function measure(
  engine: StorageEngine,
  saveBare: (name: string, text: string) => Promise<boolean>,
): Promise<Figures> {
  const store = (await openSkillStores({ engine, layer: 'project' })).tenant('bench')
  let [own, bare] = [0, 0]
  const works = {
    own: () => store.save(contentOf(own++)),
    async base() {
      const content = contentOf(bare++)
      // A program without our store also has to make the text.
      const isSaved = await saveBare(content.manifest.name, await renderSkill(content))
      if (!isSaved) throw new Error('A bare write was refused.')
    },
  }
  // The saves of the first half add the skills, and do not count.
  return timeInTurns(works, { turns: 20, iterations: SKILLS / 10 })
}

/** Two kilobytes. */
function contentOf(turn: number): SkillContent {
  const name = `skill-${turn % SKILLS}`
  const content = `Step ${turn}. ${'Read the file, change what is wrong, and say what was changed.\n'.repeat(30)}`
  return { manifest: { name, description: `What ${name} is for.` }, definition: { type: 'instruction', content } }
}
