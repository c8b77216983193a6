import { execFile } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Runs one of these files in a process whose AI SDK is version 6. */
export async function withVersion6(file: string, ...args: readonly string[]): Promise<string> {
  const at = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@repertoire/source', '--no-warnings', '--import', at('version-6.ts'), at(file), ...args],
    { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } },
  )
  return stdout
}
