import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SkillError } from '@repertoire/core'
import type { runShell, ShellJob, ShellResult } from './shell.ts'

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/**
 * Runs the shell in a thread of its own, which a signal ends whatever the script does: a script that only computes
 * blocks that thread and not the host.
 * @returns undefined if the signal ended it
 * @throws {SkillError} SCRIPT_NOT_STARTED
 */
export async function runInWorker(job: ShellJob, signal: AbortSignal): Promise<ShellResult | undefined> {
  const worker = new Worker(ENTRY, { workerData: job, env: {}, stdin: false, stdout: true, stderr: true })
  try {
    const [answer] = (await once(worker, 'message', { signal })) as [Awaited<ReturnType<typeof runShell>>]
    if ('notStarted' in answer) throw new SkillError('SCRIPT_NOT_STARTED', answer.notStarted)
    return answer
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    await worker.terminate()
  }
}
