import { join } from 'node:path'
import { memorySource, openRepertoire, withStoredSession, type Session, type SessionStore } from '@repertoire/core'
import { openFileSessions, openPostgresSessions, redisSessions } from '@repertoire/storage'
import { temporaryFolder } from '../folder.ts'
import { timed } from './runs.ts'

export type SessionStoreId = 'redis' | 'postgres' | 'file'

/** A store of sessions, and the same by hand: a record under its name, which is replaced if its version is the same. */
interface SessionPlace {
  readonly store: SessionStore
  readonly save: (id: string, text: string, version: number) => unknown
  readonly load: (id: string) => unknown
  readonly close: () => Promise<void>
}

/** Times of single operations, and of a turn: everything that a message to a session takes, without the work. */
export type SessionTimes = Readonly<
  Record<'save' | 'load' | 'turn', { readonly own: readonly number[]; readonly bare: readonly number[] }>
>

const LEASE_MS = 60_000
const TIME_TO_LIVE_MS = 3_600_000

const PLACES: Readonly<Record<SessionStoreId, () => Promise<SessionPlace | { readonly absent: string }>>> = {
  async redis() {
    const { isMissing, startRedis } = await import('@repertoire/test-servers')
    if (isMissing('redis-server')) return { absent: 'redis-server is not installed' }
    const [{ createClient }, server] = await Promise.all([import('redis'), startRedis()])
    const client = createClient({ socket: { path: server.path, tls: false } })
    client.on('error', () => {})
    await client.connect()
    const script = `if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then return 0 end
      redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, 'text', ARGV[2])
      return 1`
    const digest = await client.scriptLoad(script)
    return {
      store: redisSessions({ client }),
      save: (id, text, version) => client.evalSha(digest, { keys: [id], arguments: [String(version), text] }),
      load: (id) => client.hmGet(id, ['version', 'text']),
      async close() {
        client.destroy()
        await server.close()
      },
    }
  },
  async postgres() {
    const [{ Pool }, { startPostgres }] = await Promise.all([import('pg'), import('@repertoire/test-servers')])
    const server = await startPostgres()
    const pool = new Pool({ ...server.options('postgres'), max: 4 })
    pool.on('error', () => {})
    await pool.query('create table bare (id text primary key, version bigint not null, saved text not null)')
    const put = `insert into bare values ($1, 1, $2) on conflict (id) do update set saved = $2, version = bare.version + 1
      where bare.version = $3`
    return {
      store: await openPostgresSessions({ pool }),
      save: (id, text, version) => pool.query(put, [id, text, version]),
      load: (id) => pool.query('select version, saved from bare where id = $1', [id]),
      async close() {
        await pool.end()
        await server.close()
      },
    }
  },
  async file() {
    const { DatabaseSync } = await import('node:sqlite')
    const folder = temporaryFolder()
    const database = new DatabaseSync(join(folder.path, 'bare.sqlite'))
    database.exec('create table bare (id text primary key, version integer not null, saved text not null)')
    const put = database.prepare(`insert into bare values (?1, 1, ?2) on conflict (id) do update
      set saved = ?2, version = version + 1 where version = ?3`)
    const get = database.prepare('select version, saved from bare where id = ?')
    const store = await openFileSessions({ path: join(folder.path, 'sessions.sqlite') })
    return {
      store,
      save: (id, text, version) => put.run(id, text, version),
      load: (id) => get.get(id),
      close() {
        store.close()
        database.close()
        folder.remove()
        return Promise.resolve()
      },
    }
  },
}

/** Times a store of sessions beside what is under it, ours and bare in turns. */
export async function timeSessions(
  id: SessionStoreId,
  runs: number,
): Promise<SessionTimes | { readonly absent: string }> {
  const place = await PLACES[id]()
  if ('absent' in place) return place
  try {
    return await timeAll(place, runs)
  } finally {
    await place.close()
  }
}

async function timeAll({ store, save, load }: SessionPlace, runs: number): Promise<SessionTimes> {
  const skills = { plain: { 'SKILL.md': '---\nname: plain\ndescription: Plain.\n---\nDo it.\n' } }
  const repertoire = await openRepertoire({
    sources: [memorySource({ layer: 'project', skills })],
    stateKey: 'the key of the benchmark',
  })
  const turn = (work: (session: Session) => Promise<unknown>): Promise<unknown> =>
    withStoredSession(repertoire, { store, id: 'chat', consent: () => true }, work)
  await turn((session) => session.invoke({ skill: 'plain' }))
  const { saved } = (await store.load('chat'))!
  const text = JSON.stringify(saved)
  const times = { save: pair(), load: pair(), turn: pair() }
  const lease = (await store.acquire('bench', { duration: LEASE_MS }))!
  for (let version = 0; version < runs; version++) {
    const options = { ifVersion: version, timeToLive: TIME_TO_LIVE_MS }
    times.save.own.push(await timed(() => store.save(lease, saved, options)))
    times.save.bare.push(await timed(async () => save('bench', text, version)))
    times.load.own.push(await timed(() => store.load('bench')))
    times.load.bare.push(await timed(async () => load('bench')))
    if (version % 5 > 0) continue
    times.turn.own.push(await timed(() => turn((session) => session.invoke({ skill: 'plain' }))))
    const before = version / 5
    times.turn.bare.push(
      await timed(async () => {
        await load('turn')
        await save('turn', text, before)
      }),
    )
  }
  await repertoire.close()
  return times
}

function pair(): { readonly own: number[]; readonly bare: number[] } {
  return { own: [], bare: [] }
}
