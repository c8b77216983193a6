// Runs an example with the packages of this repository, packed as they would be published:
//   npm run example -- langgraph
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyExample, packPackages, useTarballs } from './packed-packages.ts'

const names = globSync('examples/*/package.json').map((file) => file.split(/[/\\]/)[1]!)
const [name = '', ...args] = process.argv.slice(2)
if (!names.includes(name)) throw new TypeError(`Name one example: ${names.toSorted().join(', ')}.`)

// Ctrl+C ends the example; its copy is removed afterwards.
process.on('SIGINT', () => undefined)
// Not below node_modules, since Node runs no TypeScript there.
const base = mkdtempSync(join(realpathSync(tmpdir()), 'repertoire-example-'))
const folder = join(base, name)
try {
  copyExample(name, folder)
  useTarballs(folder, packPackages(join(base, 'packages')))
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'])
  run('npm', ['start', '--', ...args])
} finally {
  rmSync(base, { recursive: true, force: true })
}

function run(command: string, options: readonly string[]): void {
  const { status, signal, error } = spawnSync(command, options, { cwd: folder, stdio: 'inherit' })
  if (status !== 0 && signal !== 'SIGINT')
    throw new Error(`${command} ${options[0]} failed: ${error?.message ?? `exit code ${status}`}`)
}
