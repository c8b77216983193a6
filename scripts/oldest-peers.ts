// Runs an adapter's conformance suite, from its tarballs, with the oldest packages that its peer ranges admit, or with
// the newest ones:
//   npm run oldest-peers -- ai-sdk
//   npm run oldest-peers -- ai-sdk --newest
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packPackages } from './packed-packages.ts'

interface PackageJson {
  readonly name: string
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const [adapter, ...others] = process.argv.slice(2)
const takesNewest = others[0] === '--newest'
if (adapter === undefined || others.length > (takesNewest ? 1 : 0))
  throw new TypeError('Name one adapter: ai-sdk, claude-agent, langchain, mastra, openai-agents, react-loop.')
const read = (file: string): PackageJson => JSON.parse(readFileSync(file, 'utf8')) as PackageJson

const folder = mkdtempSync(join(tmpdir(), 'repertoire-oldest-'))
try {
  // The packages need each other in versions that are not published.
  const own = packPackages(folder)
  const { name, peerDependencies = {} } = read(`packages/${adapter}/package.json`)
  const peers = Object.entries(peerDependencies).filter(([, range]) => !range.startsWith('workspace:'))
  const chosen = Object.fromEntries(peers.map(([peer, range]) => [peer, takesNewest ? range : oldestOf(range)]))
  const ours = Object.fromEntries([name, 'repertoire'].map((each) => [each, own[each]]))
  const manifest = { private: true, type: 'module', dependencies: { ...ours, ...chosen }, overrides: own }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  run('npm', ['install', '--no-audit', '--no-fund'], folder)
  process.stdout.write(`${peers.map(([peer]) => `${peer}@${chosen[peer]}`).join(' ')}\n`)
  run('node', ['node_modules/repertoire/dist/main.js', 'conformance', '--adapter', adapter], folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The first version of a range such as `^7.0.130` or `^1.5`; of several ranges, of the last one. */
function oldestOf(range: string): string {
  const [, version] = /(?:^|\|\| )\^(\d+(?:\.\d+){0,2})$/.exec(range) ?? []
  if (version === undefined) throw new TypeError(`The range "${range}" does not begin with ^ and a version.`)
  return `${version}.0.0`.split('.').slice(0, 3).join('.')
}

function run(command: string, args: readonly string[], cwd = '.'): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `exit code ${status}`}`)
}
