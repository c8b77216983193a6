// Installs Claude Code for the tests of @repertoire/claude-agent: npm run claude-code. It has a lock file of its own, so that
// only this installs it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'

const FOLDER = resolve('apps/claude-code')
const lock = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8')
const stamp = join(FOLDER, 'node_modules/.installed')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  writeFileSync(stamp, lock)
}
