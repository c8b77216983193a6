import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { ChildFailure, type ChildOptions } from '../run-child.ts'
import { type Pair, timed } from '../statistics.ts'

const runFile = promisify(execFile)

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
  const args = [...flags, '--input-type=module', '--eval', code]
  const env = { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: undefined }
  try {
    return await timed(() => runFile(process.execPath, args, { cwd: import.meta.dirname, env, timeout }))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ChildFailure(/^.*Error\b.*/m.exec(message)?.[0] ?? message)
  }
}
