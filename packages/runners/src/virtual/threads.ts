import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { SkillError } from '@repertoire/core'
import type { runShell, ShellJob, ShellResult } from './shell.ts'

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url)
/** Threads that wait for the next script: as many as usually run at once. */
const MAX_IDLE = 2
/** What a thread may use, without Python: beyond it, the thread ends and not the host. */
const MAX_MEMORY_MB = 1_024
/** How long a thread may take to end. One that the system holds cannot be ended. */
const ENDING_MS = 1_000

/** Threads with the shell. */
export interface Threads {
  /**
   * Runs the shell in a thread that no other job uses meanwhile. A signal ends the thread whatever the script does, and
   * the next job gets another one.
   * @returns undefined if the signal ended it
   * @throws {SkillError} SCRIPT_NOT_STARTED
   */
  run(job: ShellJob, signal: AbortSignal): Promise<ShellResult | undefined>
  close(): Promise<void>
}

export function openThreads(): Threads {
  const idle: Worker[] = []
  return {
    async run(job, signal) {
      const worker = idle.pop() ?? start()
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(job)
      try {
        const [answer] = (await once(worker, 'message', { signal })) as [Awaited<ReturnType<typeof runShell>>]
        const isOver = 'durationMs' in answer && answer.durationMs >= job.limits.timeout
        if (idle.length < MAX_IDLE && !isOver) {
          // It must not keep the host running.
          worker.unref()
          idle.push(worker)
        } else await end(worker)
        if ('notStarted' in answer) throw new SkillError('SCRIPT_NOT_STARTED', answer.notStarted)
        return answer
      } catch (error) {
        if (!idle.includes(worker)) await end(worker)
        if (signal.aborted) return undefined
        throw error
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map(end))
    },
  }
}

function start(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: MAX_MEMORY_MB }
  return new Worker(ENTRY, { env: {}, stdin: false, stdout: true, stderr: true, resourceLimits })
}

async function end(worker: Worker): Promise<void> {
  const timer = Promise.withResolvers<void>()
  const timeout = setTimeout(timer.resolve, ENDING_MS)
  await Promise.race([worker.terminate(), timer.promise])
  clearTimeout(timeout)
}
