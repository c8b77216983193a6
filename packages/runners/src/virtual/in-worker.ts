import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ShellJob, ShellResult } from './shell.ts'

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)

/**
 * Runs the shell in a thread that is ended afterwards: its JavaScript leaves a thread of its own behind, which would keep
 * the host from ending.
 */
export async function runInWorker(job: ShellJob, signal: AbortSignal): Promise<ShellResult | undefined> {
  const worker = new Worker(ENTRY, { workerData: job, env: {}, stdin: false, stdout: true, stderr: true })
  try {
    const [result] = (await once(worker, 'message', { signal })) as [ShellResult]
    return result
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  } finally {
    await worker.terminate()
  }
}
