import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What came of a run of the bench. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the bench in its own process, which has nothing but a folder for temporary files. */
export function bench(args: readonly string[], scratch: string, stop?: AbortSignal): Promise<Ended> {
  mkdirSync(scratch, { recursive: true })
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
  const env = { NODE_COMPILE_CACHE, PATH, TMPDIR: scratch }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=@repertoire/source', MAIN, ...args],
      { env },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
    stop?.addEventListener('abort', () => child.kill('SIGINT'), { once: true })
  })
}
