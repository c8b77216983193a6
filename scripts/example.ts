// Runs an example with the packages of this repository, packed as they would be published:
//   npm run example -- langgraph
import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { copyExample, packPackages, useTarballs } from './packed-packages.ts'

const names = globSync('examples/*/package.json').map((file) => file.split(/[/\\]/)[1]!)
const [name = '', ...args] = process.argv.slice(2)
if (!names.includes(name)) throw new TypeError(`Name one example: ${names.toSorted().join(', ')}.`)

const cache = resolve('node_modules/.cache/examples')
const folder = join(cache, name)
rmSync(folder, { recursive: true, force: true })
copyExample(name, folder)
useTarballs(folder, packPackages(join(cache, 'packages')))
run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'])
run('npm', ['start', '--', ...args])

function run(command: string, options: readonly string[]): void {
  const { status, error } = spawnSync(command, options, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${options[0]} failed: ${error?.message ?? `exit code ${status}`}`)
}
