import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** A Redis server of this test's own. */
export interface RedisServer {
  /** The path of its socket. */
  readonly path: string
  /** Ends it as a crash does. What it has acknowledged is on the disk. */
  stop(): Promise<void>
  /** Starts it again, with what it held. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Options of `startRedis`. */
export interface RedisServerOptions {
  /** Further settings, by their names in `redis.conf`. */
  readonly settings?: Readonly<Record<string, string>> | undefined
}

/** The path of the program, which comes with the Debian package `redis-server` and not from npm. */
function findRedis(): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => existsSync(path))
}

/** Starts a server with its data and its socket in a temporary folder: no port, nothing of the system's own server. */
export async function startRedis({ settings = {} }: RedisServerOptions = {}): Promise<RedisServer> {
  const program = findRedis()
  if (program === undefined) throw new Error('There is no program redis-server. Install the package redis-server.')
  const base = mkdtempSync(join(realpathSync(tmpdir()), 'redis-'))
  const path = join(base, 'socket')
  const all = {
    port: '0',
    unixsocket: path,
    dir: base,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    ...settings,
  }
  let running: ChildProcess | undefined
  const server: RedisServer = {
    path,
    async start() {
      const child = spawn(
        program,
        Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]),
        {
          cwd: base,
          stdio: ['ignore', 'pipe', 'ignore'],
        },
      )
      running = child
      await new Promise<void>((resolve, reject) => {
        let log = ''
        child.stdout.setEncoding('utf8').on('data', (text: string) => {
          log += text
          if (/ready to accept connections/i.test(log)) resolve()
        })
        child.once('error', reject)
        child.once('exit', () => reject(new Error(`Redis did not start:\n${log}`)))
      })
    },
    async stop() {
      const child = running
      if (child === undefined) return
      running = undefined
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    async close() {
      await server.stop()
      rmSync(base, { recursive: true, force: true })
    },
  }
  await server.start()
  return server
}
