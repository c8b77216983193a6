import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { ChildFailure, type ChildOptions } from '../run-child.ts'
import type { Pair } from '../statistics.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))

/**
 * Times a process that imports some modules and ends, and one that imports the modules it is compared with.
 * @throws {ChildFailure} if an import fails
 */
export async function timeImports(
  { own, base }: { readonly own: readonly string[]; readonly base: readonly string[] },
  options: ChildOptions,
): Promise<Pair> {
  return { base: await timeProcess(base, options), own: await timeProcess(own, options) }
}

async function timeProcess(modules: readonly string[], { source, timeout }: ChildOptions): Promise<number> {
  const flags = source ? ['--conditions=@repertoire/source', '--disable-warning=ExperimentalWarning'] : []
  const code = [...modules.map((name) => `import ${JSON.stringify(name)}`), 'process.exit(0)'].join('\n')
  const start = performance.now()
  const child = spawn(process.execPath, [...flags, '--input-type=module', '--eval', code], {
    cwd: HERE,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: undefined },
    timeout,
  })
  const errors = text(child.stderr)
  const [exitCode] = (await once(child, 'exit')) as [number | null]
  const taken = performance.now() - start
  if (exitCode === 0) return taken
  const line = (await errors).split('\n').find((each) => /Error\b/.test(each))
  throw new ChildFailure(line?.trim() ?? `ended with exit code ${exitCode}`)
}
