import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { OWN_INTERPRETER } from './checks/own-scripts.ts'
import type { ScriptEnd, ScriptJob, ScriptResult, ScriptRunner } from '@repertoire/core'

/** A runner that remembers its jobs. */
export interface BenchRunner extends ScriptRunner {
  readonly jobs: readonly ScriptJob[]
}

/**
 * Returns a runner for the suite's own scripts: each is really run, as a process, in a copy of its skill's folder. It
 * isolates nothing and is not for scripts of others.
 */
export function benchRunner(): BenchRunner {
  const jobs: ScriptJob[] = []
  return {
    jobs,
    name: 'bench',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: (interpreter) =>
      interpreter === OWN_INTERPRETER || `The suite runs scripts for ${OWN_INTERPRETER} alone.`,
    async run(job) {
      jobs.push(job)
      const folder = await mkdtemp(join(tmpdir(), 'repertoire-check-'))
      try {
        for (const { path, bytes } of job.files) {
          await mkdir(dirname(join(folder, path)), { recursive: true })
          await writeFile(join(folder, path), bytes)
        }
        return await runIn(folder, job)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

async function runIn(folder: string, { script, args, environment, limits, signal }: ScriptJob): Promise<ScriptResult> {
  const began = performance.now()
  const { PATH = '' } = process.env
  const child = spawn(OWN_INTERPRETER === 'node' ? process.execPath : '/bin/sh', [script, ...args], {
    cwd: folder,
    env: { PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const streams = { stdout: collect(child.stdout), stderr: collect(child.stderr) }
  let end: ScriptEnd = 'exited'
  const stop = (how: ScriptEnd) => (): void => {
    end = how
    child.kill('SIGKILL')
  }
  const aborted = stop('aborted')
  const timer = setTimeout(stop('timed-out'), limits.timeout)
  signal.addEventListener('abort', aborted)
  try {
    if (signal.aborted) aborted()
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('close', resolve)
      child.on('error', reject)
    })
    return {
      end,
      ...(end === 'exited' && { exitCode: exitCode ?? 1 }),
      stdout: Buffer.concat(streams.stdout),
      stderr: Buffer.concat(streams.stderr),
      dropped: { stdout: 0, stderr: 0 },
      durationMs: performance.now() - began,
    }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', aborted)
  }
}

function collect(stream: NodeJS.ReadableStream): readonly Buffer[] {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return chunks
}
