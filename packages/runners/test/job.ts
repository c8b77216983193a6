import { Buffer } from 'node:buffer'
import type { ScriptJob } from '@repertoire/core'

/** The job of a shell script. */
export function job(script: string, changes: Partial<ScriptJob> = {}): ScriptJob {
  return {
    interpreter: 'sh',
    interpreterArgs: [],
    script: 'scripts/run.sh',
    args: [],
    files: [{ path: 'scripts/run.sh', bytes: Buffer.from(script), executable: false }],
    environment: {},
    network: false,
    limits: { timeout: 20_000, maxOutputBytes: 100_000, maxProcesses: 64, maxFileBytes: 1_000_000 },
    signal: new AbortController().signal,
    ...changes,
  }
}

export function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}
