import { parentPort, workerData } from 'node:worker_threads'
import { runShell, type ShellJob } from './shell.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a thread has no origin
parentPort?.postMessage(await runShell(workerData as ShellJob))
