// Plain JavaScript for the oldest Node a newcomer may bring: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = join(root, 'node_modules', '.repertoire-setup')
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const wanted = fingerprint()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  install()
  requireNode()
  writeFileSync(stamp, wanted)
}

/** What an installation depends on; the stamp holds what the last one was made from. */
function fingerprint() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  )
  const manifests = ['.', ...folders].map((folder) => join(folder, 'package.json'))
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]) {
    const path = join(root, file)
    if (existsSync(path)) hash.update(`${file}\n`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

function install() {
  // Everything goes to stderr: callers pipe the stdout of the command that follows.
  process.stderr.write('Installing dependencies, this happens once …\n')
  const result = spawnSync(`npx -y ${packageManager} install --frozen-lockfile --reporter=append-only`, {
    cwd: root,
    shell: true,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', npm_config_loglevel: 'error', npm_config_update_notifier: 'false' },
  })
  if (result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error ? `${result.error.message}\n` : ''}`)
  process.stderr.write(
    `The installation failed. Its output is above; run "npx ${packageManager} install" to try it by hand.\n`,
  )
  process.exit(1)
}

function requireNode() {
  if (existsSync(join(root, 'node_modules', '.bin', 'node'))) return
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  process.stderr.write(
    `Node ${process.versions.node} cannot run TypeScript, and no newer one is installed along for ${process.platform} ${process.arch}. ` +
      'Install Node 22.18 or newer and run this again.\n',
  )
  process.exit(1)
}
