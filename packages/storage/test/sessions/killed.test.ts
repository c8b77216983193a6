import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openFileSessions, openSessions, postgresEngine, redisEngine } from '@repertoire/storage'
import { bundled, startPostgres, startRedis } from '@repertoire/test-servers'
import { Pool } from 'pg'
import { createClient } from 'redis'
import { expect, it } from 'vitest'
import type { SessionStore } from '@repertoire/core'

const WORKERS = 3
const inCI = process.env['CI'] !== undefined
/** Where people wait for the tests each kill is a start of Node too many. `SESSION_KILLS=2000` runs for minutes. */
const KILLS = Number(process.env['SESSION_KILLS'] ?? (inCI ? 10 : 2))
const SESSIONS = inCI ? 6 : 3
const TASKS = Math.ceil(KILLS / SESSIONS) + 1

/** Runs the workers until all tasks are done, and kills one again and again. Returns the ledger's lines. */
async function runKilled(engine: string, place: string, folder: string): Promise<readonly string[]> {
  const ledger = join(folder, 'ledger')
  writeFileSync(ledger, '')
  const program = bundled(join(import.meta.dirname, 'worker.ts'))
  const given = [engine, place, ledger, String(SESSIONS), String(TASKS)]
  let kills = 0
  let answers = 0
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = spawn(process.execPath, ['--conditions=@repertoire/source', program, ...given], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      worker.stdout.on('data', (written: Buffer) => {
        answers += written.length
        // After each seven answers at the latest, and otherwise at random. Several answers may come in one piece.
        if (kills >= KILLS || (answers < 7 * (kills + 1) && Math.random() > 0.1)) return
        kills++
        worker.kill('SIGKILL')
      })
      worker.once('error', reject)
      worker.once('exit', (code, signal) => {
        if (signal === 'SIGKILL') work().then(resolve, reject)
        else if (code === 0) resolve()
        else reject(new Error(`A worker ended with ${code ?? signal}.`))
      })
    })
  await Promise.all(Array.from({ length: WORKERS }, work))
  expect(kills).toBeGreaterThan(0)
  return readFileSync(ledger, 'utf8').trimEnd().split('\n')
}

/** Nothing was done twice, nothing was lost that was acknowledged. */
async function judge(lines: readonly string[], store: SessionStore): Promise<void> {
  const count = (start: string): number => lines.filter((line) => `${line} `.startsWith(`${start} `)).length
  for (let index = 0; index < SESSIONS; index++) {
    const name = `s${index}`
    for (let task = 0; task < TASKS; task++) {
      expect(count(`ran ${name} ${task}`), `runs of ${name} ${task}`).toBe(1)
      for (let attempt = 0; attempt < count(`refused ${name} ${task}`); attempt++) {
        // An answer is refused only where a worker was killed after it had it, and not because a request was lost.
        expect(count(`answering ${name} ${task} ${attempt}`), `answers to ${name} ${task} ${attempt}`).toBeGreaterThan(
          1,
        )
      }
    }
    const versions = lines.filter((line) => line.startsWith(`saved ${name} `)).map((line) => Number(line.split(' ')[2]))
    const { version = 0, saved } = (await store.load(name)) ?? {}
    expect(version).toBeGreaterThanOrEqual(Math.max(...versions))
    expect(saved).toMatchObject({ state: { id: name, stored: { version } } })
  }
}

const temporary = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-workers-')))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const TITLE = '[LIB-11] of three workers one is killed again and again, and nothing is lost or done twice'
const LIMIT_MS = 60_000 + KILLS * 10_000

it(
  `${TITLE}: on a file`,
  () =>
    temporary(async (folder) => {
      const path = join(folder, 'sessions.sqlite')
      const lines = await runKilled('file', path, folder)
      const store = await openFileSessions({ path })
      await judge(lines, store)
      store.close()
    }),
  LIMIT_MS,
)

/** Each is a server, and as many starts of Node again. One that is missing is a failure then. */
const isRun = inCI || process.env['SESSION_KILLS'] !== undefined
const REASON = isRun ? '' : ' (in CI, or with SESSION_KILLS)'

it.runIf(isRun)(
  `${TITLE}: on PostgreSQL${REASON}`,
  () =>
    temporary(async (folder) => {
      const server = await startPostgres()
      const { host } = server.options('postgres')
      const pool = new Pool({ ...server.options('postgres') })
      const store = await openSessions({ engine: postgresEngine({ pool }) })
      await judge(await runKilled('postgres', host, folder), store)
      await pool.end()
      await server.close()
    }),
  LIMIT_MS,
)

it.runIf(isRun)(
  `${TITLE}: on Redis${REASON}`,
  () =>
    temporary(async (folder) => {
      const server = await startRedis({ settings: { appendfsync: 'no' } })
      const client = createClient({ socket: { path: server.path, tls: false } })
      await client.connect()
      await judge(
        await runKilled('redis', server.path, folder),
        await openSessions({ engine: redisEngine({ client }) }),
      )
      client.destroy()
      await server.close()
    }),
  LIMIT_MS,
)
