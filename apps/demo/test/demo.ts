import { bundled } from '@repertoire/test-servers'
import { spawn } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import type { Stream } from 'repertoire/terminal'
import { run, type Surroundings } from '../src/program.ts'

// Some runs are processes that load three frameworks; on a busy machine that takes seconds.
vi.setConfig({ testTimeout: 120_000 })

/** What came of a run of the demo. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where and how the demo runs. */
export interface RunOptions {
  /** Default: a folder of this package. */
  readonly cwd?: string
  /** Added to an environment of nothing but `PATH` and a home folder that is not there. */
  readonly env?: Readonly<Record<string, string>>
  /** Sends SIGTERM. */
  readonly signal?: AbortSignal
}

const MAIN = bundled(fileURLToPath(new URL('../src/main.ts', import.meta.url)))

/** Runs the demo as the workspace's script does, in its own process whose stdin is at its end. */
export function demo(args: readonly string[], { cwd, env, signal }: RunOptions = {}): Promise<Ended> {
  const { NODE_COMPILE_CACHE = '', PATH = '' } = process.env
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--conditions=@repertoire/source', MAIN, ...args], {
      cwd: cwd ?? fileURLToPath(new URL('.', import.meta.url)),
      // Without Claude Code, also if it is installed.
      env: { NODE_COMPILE_CACHE, PATH, HOME: join(tmpdir(), 'repertoire-no-home'), CLAUDE_CODE_EXECUTABLE: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const written = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text))
    signal?.addEventListener('abort', () => child.kill('SIGTERM'), { once: true })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...written }))
  })
}

/** Runs the demo in this process, which is quicker than starting one and loading three frameworks in it. */
export async function inProcess(
  args: readonly string[],
  { cwd = process.cwd(), env = {} }: RunOptions = {},
): Promise<Ended> {
  const [stdout, stderr] = [heldStream(), heldStream()]
  const surroundings = { stdout, stderr, env: { ...env }, cwd: () => cwd }
  const code = await run(args, surroundings as unknown as Surroundings)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function heldStream(): Stream & { readonly text: () => string } {
  let held = ''
  return {
    on: () => {},
    write: (text, done) => {
      held += text
      done()
    },
    text: () => held,
  }
}

/** An empty folder for one test, by its real path. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'demo-test-')))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
