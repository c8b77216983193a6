import { parentPort, workerData } from 'node:worker_threads'
import { isSkillError } from '@repertoire/core'
import type { WorkerAnswer } from './in-worker.ts'
import { runShell, type ShellJob } from './shell.ts'

async function answer(): Promise<WorkerAnswer> {
  try {
    return await runShell(workerData as ShellJob)
  } catch (error) {
    if (isSkillError(error)) return { notStarted: error.message }
    throw error
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
parentPort?.postMessage(await answer())
