import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { isSkillError, memorySource, openRepertoire, type SessionStore, withStoredSession } from '@repertoire/core'
import { adapterSession, type AdapterSession } from '@repertoire/core/adapter'
import { openFileSessions, openSessions, postgresEngine, redisEngine } from '@repertoire/storage'

/**
 * One of several workers, each of which can be killed at any time: `worker.ts ENGINE PLACE LEDGER SESSIONS TASKS`.
 * Every session has tasks, each a call that the policy asks about. A worker takes any session with an unfinished task,
 * and either asks about its next call or carries out what was answered. What it does is a line of the ledger, which
 * stands for the world outside: what has happened there stays.
 */
const [engine = '', place = '', ledger = '', sessions = '', tasks = ''] = process.argv.slice(2)

/** A kill ends a lease only when it runs out. Longer than a worker is ever kept from its core. */
const LEASE_MS = 4_000

/** Another worker has the session. */
const ELSEWHERE: ReadonlySet<string> = new Set(['SESSION_IN_USE', 'LEASE_LOST'])

function note(...words: readonly (string | number)[]): void {
  appendFileSync(ledger, `${words.join(' ')}\n`)
  // Whoever started this process may kill it now.
  process.stdout.write('.')
}

const noted = (...words: readonly (string | number)[]): readonly string[] =>
  readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => `${line} `.startsWith(`${words.join(' ')} `))

async function openStore(): Promise<SessionStore> {
  if (engine === 'file') return openFileSessions({ path: place })
  if (engine === 'redis') {
    const { createClient } = await import('redis')
    const client = createClient({ socket: { path: place, tls: false } })
    return openSessions({ engine: redisEngine({ client: await client.connect() }) })
  }
  const { Pool } = await import('pg')
  const pool = new Pool({ host: place, user: 'postgres', database: 'postgres', max: 2 })
  return openSessions({ engine: postgresEngine({ pool }) })
}

/** Does the next thing in a session, whatever a worker before it has left there. */
async function goOn(session: AdapterSession, until: AbortSignal, name: string, task: number): Promise<void> {
  // The person who is asked looks whether it has happened already.
  if (noted('ran', name, task).length > 0) return note('done', name, task)
  const attempt = noted('refused', name, task).length
  const call = { id: `${task}.${attempt}`, tool: 'Deploy', input: { task, attempt } }
  await session.step({ tools: ['Deploy'] })
  const [asked] = noted('asked', name, task, attempt)
  if (asked === undefined) {
    const request = (await session.preview(call, { asks: true })).waits
    // None: the session has ended, since its lease did.
    if (request === undefined) throw until.reason
    return note('asked', name, task, attempt, request.id)
  }
  note('answering', name, task, attempt)
  // As frameworks do, which ask again about a call that they find without a result.
  await session.preview(call, { asks: true })
  session.answer({ requestId: asked.split(' ').at(-1)!, approved: true })
  const outcome = await session.call(call, () => note('ran', name, task, attempt))
  if (!outcome.ok) note('refused', name, task, attempt)
}

const store = await openStore()
const skills = { plain: { 'SKILL.md': '---\nname: plain\ndescription: Plain.\n---\nDo it.\n' } }
const repertoire = await openRepertoire({
  sources: [memorySource({ layer: 'project', skills })],
  sessionSecret: 'the same everywhere',
  policy: { ask: ['Deploy'] },
})
for (;;) {
  const open = Array.from({ length: Number(sessions) }, (_, index) => `s${index}`).flatMap((name) => {
    const task = Array.from({ length: Number(tasks) }, (_, index) => index).find(
      (index) => noted('done', name, index).length === 0,
    )
    return task === undefined ? [] : [{ name, task }]
  })
  if (open.length === 0) break
  const { name, task } = open[Math.floor(Math.random() * open.length)]!
  try {
    const options = { store, id: name, lease: LEASE_MS, wait: 20 }
    const version = await withStoredSession(repertoire, options, async (session, stored) => {
      await goOn(adapterSession(session), stored.signal, name, task)
      return stored.version
    })
    note('saved', name, version)
  } catch (error) {
    if (!isSkillError(error) || !ELSEWHERE.has(error.code)) throw error
  }
}
process.exit(0)
