import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

// Runs an adapter's conformance suite, from its tarballs, with the oldest packages that its peer ranges admit:
//   npm run oldest-peers -- ai-sdk
//   npm run oldest-peers -- ai-sdk --with ai@7.0.100 --check gate-after-abort
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // Another version of a peer, also outside of the ranges: how the beginning of a range is found.
    with: { type: 'string', multiple: true, default: [] },
    check: { type: 'string', multiple: true, default: [] },
    protocol: { type: 'string', multiple: true, default: [] },
  },
})
const [adapter] = positionals
if (adapter === undefined || positionals.length > 1) throw new TypeError('Name one adapter: ai-sdk, langchain.')

const folder = mkdtempSync(join(tmpdir(), 'repertoire-oldest-'))
try {
  const { peerDependencies } = JSON.parse(readFileSync(join('packages', adapter, 'package.json'), 'utf8')) as {
    readonly peerDependencies: Readonly<Record<string, string>>
  }
  for (const name of ['core', 'conformance', adapter, 'cli']) {
    run('pnpm', ['--dir', join('packages', name), '--silent', 'pack', '--pack-destination', folder])
  }
  // `@repertoire/core` is packed as repertoire-core-0.0.0.tgz, and the command as repertoire-0.0.0.tgz.
  const own = Object.fromEntries(
    readdirSync(folder).map((file) => [file.replace(/^repertoire-(?=[a-z])|-[\d.]+\.tgz$/g, ''), `file:./${file}`]),
  )
  const peers = Object.entries(peerDependencies).filter(([, range]) => !range.startsWith('workspace:'))
  const dependencies: Record<string, string> = Object.fromEntries([
    ...Object.entries(own).map(([name, file]) => [name === 'repertoire' ? name : `@repertoire/${name}`, file]),
    ...peers.map(([name, range]) => [name, oldestOf(range)]),
    ...values.with.map((given) => [given.slice(0, given.lastIndexOf('@')), given.slice(given.lastIndexOf('@') + 1)]),
  ])
  // The packages need each other in versions that are not published.
  const overrides = Object.fromEntries(Object.keys(own).map((name) => [`@repertoire/${name}`, `$@repertoire/${name}`]))
  delete overrides['@repertoire/repertoire']
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides }),
  )
  run('npm', ['install', '--no-audit', '--no-fund', ...(values.with.length > 0 ? ['--legacy-peer-deps'] : [])], folder)
  process.stdout.write(`${peers.map(([name]) => `${name}@${dependencies[name]}`).join(' ')}\n`)
  const chosen = [
    ...values.check.flatMap((id) => ['--check', id]),
    ...values.protocol.flatMap((id) => ['--protocol', id]),
  ]
  run(
    process.execPath,
    ['node_modules/repertoire/dist/main.js', 'conformance', '--adapter', adapter, ...chosen],
    folder,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The first version of a range such as `^7.0.130` or `^1.5`. */
function oldestOf(range: string): string {
  const [, version] = /^\^(\d+(?:\.\d+){0,2})$/.exec(range) ?? []
  if (version === undefined) throw new TypeError(`The range "${range}" does not begin with ^ and a version.`)
  return `${version}.0.0`.split('.').slice(0, 3).join('.')
}

function run(command: string, args: readonly string[], cwd = '.'): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `exit code ${status}`}`)
}
