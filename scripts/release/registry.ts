import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'

/** A registry on loopback that has nothing but what is published to it. */
export interface Registry {
  readonly url: string
  close(): void
}

/**
 * Installs verdaccio into its own folder, once: it brings 320 packages, which nobody else should have to install
 * with the workspace.
 */
export function installVerdaccio(folder: string): void {
  if (existsSync(join(folder, 'node_modules/verdaccio'))) return
  mkdirSync(folder, { recursive: true })
  // Newer versions of this package do not work in verdaccio.
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "overrides": { "node-fetch": "2.7.0" } }')
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...flags, 'verdaccio@^6.10.4'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Starts verdaccio on a free port, without any registry behind it. */
export async function openRegistry(installed: string, storage: string): Promise<Registry> {
  mkdirSync(storage, { recursive: true })
  const port = await freePort()
  const anyone = { access: '$all', publish: '$all' }
  const settings = {
    storage: join(storage, 'packages'),
    auth: { htpasswd: { file: join(storage, 'htpasswd') } },
    uplinks: {},
    packages: { '**': anyone },
    log: { type: 'file', path: join(storage, 'log'), level: 'warn' },
  }
  // JSON is YAML.
  writeFileSync(join(storage, 'config.yaml'), JSON.stringify(settings))
  const url = `http://127.0.0.1:${port}/`
  const program = join(installed, 'node_modules/verdaccio/bin/verdaccio')
  const args = [program, '--config', join(storage, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  await answers(child, url)
  return { url, close: () => void child.kill() }
}

/** Waits until a server answers. */
async function answers(child: ChildProcess, url: string): Promise<void> {
  let printed = ''
  child.stdout?.on('data', (part: Buffer) => (printed += part.toString()))
  child.stderr?.on('data', (part: Buffer) => (printed += part.toString()))
  const end = Date.now() + 60_000
  for (;;) {
    if (child.exitCode !== null || Date.now() > end) throw new Error(`The registry does not answer.\n${printed}`)
    const response = await fetch(`${url}-/ping`).catch(() => undefined)
    if (response?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
