import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** A runtime, and how it runs a program. */
export interface Runtime {
  readonly name: string
  /** The folder of its program, for `PATH`. */
  readonly folder: string
  readonly command: readonly [string, ...string[]]
}

const platform = `${process.platform}-${process.arch}`

/** The packages that contain runtimes, and where in them the program is. */
const PACKAGES = [
  { id: 'node', range: '22', package: `node-${platform}@22`, program: 'bin/node', args: [] },
  { id: 'node', range: '24', package: `node-${platform}@24`, program: 'bin/node', args: [] },
  { id: 'bun', range: '1', package: `@oven/bun-${platform}`, program: 'bin/bun', args: [] },
  {
    id: 'deno',
    range: '2',
    package: `@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}`,
    program: 'deno',
    args: ['run', '--allow-all', '--node-modules-dir=manual', '--no-config', '--quiet'],
  },
]

/** Installs the runtimes from the npm registry, once. Returns those that start here, and why the others do not. */
export function installRuntimes(cache: string): {
  readonly here: readonly Runtime[]
  readonly missing: readonly string[]
} {
  const here: Runtime[] = []
  const missing: string[] = []
  for (const { id, range, package: name, program, args } of PACKAGES) {
    const folder = join(cache, `${id}-${range}`)
    const file = join(folder, 'node_modules', name.replace(/(?<=.)@.*$/, ''), program)
    try {
      if (!existsSync(file)) {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, 'package.json'), '{ "private": true }')
        const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
        execFileSync('npm', ['install', ...flags, name], { cwd: folder, stdio: 'pipe' })
      }
      const printed = execFileSync(file, ['--version'], { encoding: 'utf8' })
      const [version = ''] = /\d+\.\d+\.\d+/.exec(printed) ?? []
      here.push({ name: `${id} ${version}`, folder: dirname(file), command: [file, ...args] })
    } catch (error) {
      missing.push(`${id} ${range}: ${String(error instanceof Error ? error.message : error).split('\n')[0]}`)
    }
  }
  return { here, missing }
}
