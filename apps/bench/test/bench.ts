import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What came of a run of the bench. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A run in a process of its own, which has nothing but a folder for temporary files. */
export async function bench(
  args: readonly string[],
  scratch: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Ended> {
  mkdirSync(scratch, { recursive: true })
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
  const child = spawn(process.execPath, ['--conditions=@repertoire/source', MAIN, ...args], {
    env: { NODE_COMPILE_CACHE, PATH, TMPDIR: scratch },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  signal?.addEventListener('abort', () => child.kill('SIGINT'), { once: true })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}
