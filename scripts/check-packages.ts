// Checks the tarballs of all packages as they would be published: pnpm rewrites `exports` and versions while it packs.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const TARBALL = resolve('node_modules/.cache/package.tgz')
const ATTW = ['--profile', 'esm-only', '--no-emoji', '--exclude-entrypoints', './package.json', '--']

for (const file of globSync('packages/*/package.json').toSorted()) {
  const { private: isPrivate, exports } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly private?: boolean
    readonly exports: object
  }
  if (isPrivate === true) continue
  run('pnpm', '--dir', dirname(file), 'pack', '--out', TARBALL)
  run('publint', '--strict', TARBALL)
  // A package that is only a command has no types to judge.
  if ('.' in exports) run('attw', ...ATTW, TARBALL)
  rmSync(TARBALL)
}

function run(command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (error !== undefined) throw error
  if (status !== 0) process.exitCode = 1
}
