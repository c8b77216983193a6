import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { copyExample } from '../../scripts/packed-packages.ts'

export const ROOT = join(import.meta.dirname, '../..')

/** The names of the examples. */
export const EXAMPLES: readonly string[] = globSync('examples/*/package.json', { cwd: ROOT })
  .map((file) => basename(dirname(file)))
  .toSorted()

/** The dependencies that an example names. */
function dependenciesOf(name: string): Readonly<Record<string, string>> {
  const text = readFileSync(join(ROOT, 'examples', name, 'package.json'), 'utf8')
  return (JSON.parse(text) as { readonly dependencies: Readonly<Record<string, string>> }).dependencies
}

/** The command of an example's README: the first block for a shell. */
export function commandOf(name: string): string {
  const text = readFileSync(join(ROOT, 'examples', name, 'README.md'), 'utf8')
  const [, command] = /^(npm install .*?)(?: +#.*)?$/m.exec(text) ?? []
  if (command === undefined) throw new Error(`The README of ${name} does not say how to install and start it.`)
  return command
}

/** Copies an example into a temporary folder that this test removes. */
export function temporaryExample(name: string): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), `example-${name}-`))
  // A build of Next.js has thousands of files.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 300_000)
  copyExample(name, folder)
  return folder
}

/** Gives a copy the dependencies that this workspace has, and its own packages as sources. */
export function linkDependencies(name: string, folder: string): void {
  for (const dependency of Object.keys(dependenciesOf(name))) {
    const [found] = dependency.startsWith('@repertoire/')
      ? [`packages/${dependency.slice('@repertoire/'.length)}`]
      : globSync(`packages/*/node_modules/${dependency}`, { cwd: ROOT }).toSorted()
    if (found === undefined) throw new Error(`No package of this workspace depends on ${dependency}.`)
    const link = join(folder, 'node_modules', dependency)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, found), link)
  }
}

/** The environment of an example's user: the workspace's Node, no key, and nothing of the `npm` that runs the tests. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:OPENAI_|npm_|NODE_ENV$|VITEST)/.test(name))
  const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`
  return { ...Object.fromEntries(own), PATH }
}

/** Runs a line of a shell in a folder. Returns what it printed. */
export async function runLine(line: string, cwd: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = { ...userEnvironment(), ...environment }
  try {
    return (await promisify(execFile)('sh', ['-c', line], { cwd, env, timeout: 300_000 })).stdout
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { readonly stdout: string; readonly stderr: string }
    throw new Error(`${message}\n${stdout}\n${stderr}`, { cause: error })
  }
}

/** Compiles a copy with its dependencies. */
export async function checkTypes(folder: string): Promise<void> {
  const options = '--noEmit --strict --module nodenext --target es2023 --allowImportingTsExtensions --skipLibCheck'
  await runLine(`tsc ${options} --types node --typeRoots ${join(ROOT, 'node_modules/@types')} *.ts`, folder)
}
