import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface PackageJson {
  name: string
  private?: boolean
  exports?: Record<string, unknown>
}

// Judges the tarballs as they would be published: pnpm rewrites `exports` and versions while packing.
const tarballs = mkdtempSync(join(tmpdir(), 'repertoire-packages-'))
let failures = 0

try {
  for (const file of globSync('packages/*/package.json').toSorted()) {
    const { name, private: hidden, exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as PackageJson
    if (hidden) continue
    const before = new Set(readdirSync(tarballs))
    if (!run('pnpm', ['--dir', dirname(file), 'pack', '--pack-destination', tarballs], name)) continue
    const tarball = join(
      tarballs,
      readdirSync(tarballs).find((entry) => !before.has(entry))!,
    )
    run('publint', ['--strict', tarball], name)
    // A package that is only a command has no types to judge.
    if ('.' in exports)
      run(
        'attw',
        ['--profile', 'esm-only', '--no-emoji', '--exclude-entrypoints', './package.json', '--', tarball],
        name,
      )
  }
} finally {
  rmSync(tarballs, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1

function run(command: string, args: string[], name: string): boolean {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  const ok = status === 0
  process.stdout.write(`${ok ? 'ok    ' : 'FAILED'} ${name}: ${command}\n`)
  if (!ok) {
    failures++
    process.stdout.write(`${stdout}${stderr}${error?.message ?? ''}\n`)
  }
  return ok
}
