import { parentPort } from 'node:worker_threads'
import { runShell, type ShellJob } from './shell.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
parentPort?.on('message', async (job: ShellJob) => parentPort?.postMessage(await runShell(job)))
