import type { ScriptJob, ScriptResult, ScriptRunner } from '@repertoire/core'

/** What a runner may leave unkept, if it says so. Everything else holds for every runner. */
export type RunnerPromise =
  /** Bytes that are not UTF-8 arrive as they were written. */
  | 'binary-output'
  /** What a script had written is there when its time is over. */
  | 'partial-output'
  /** How many bytes of a finite flood were dropped is exact. */
  | 'exact-counts'
  /** A script can start processes in the background. */
  | 'background'
  /** A process that left its group and session is ended too. */
  | 'escapees'
  /** The signal that ended a script is named, and is not an exit code above 128. */
  | 'signals'
  /** The files of the skill cannot be changed. */
  | 'read-only-files'
  /** `maxProcesses` holds. */
  | 'process-limit'
  /** `maxFileBytes` holds for one file. */
  | 'file-limit'
  /** `maxFileBytes` holds for the temporary folder as a whole. */
  | 'folder-limit'
  /** A script without the network reaches not even this machine. */
  | 'no-network'
  /** The files of the host are neither read nor written. */
  | 'host-files'
  /** The processes of the host cannot be seen. */
  | 'host-processes'

/** One sentence of the contract. */
export interface RunnerCase {
  /** Begins with the ids of the requirements. */
  readonly title: string
  /** The promise that it shows. Absent: it holds for every runner. */
  readonly promise?: RunnerPromise
  /** @throws {Error} the runner does not keep it */
  run(context: CaseContext): Promise<void>
}

/** What a case has. */
export interface CaseContext {
  readonly runner: ScriptRunner
  /** Opens another runner of the same kind. */
  readonly open: () => Promise<ScriptRunner>
  /** Runs a shell script. */
  readonly sh: (script: string, changes?: Partial<ScriptJob>) => Promise<ScriptResult>
  /** How many processes still run whose command line holds this text. */
  readonly survivors: (marker: string) => Promise<number>
}

/** The job of a shell script, with short limits. */
export function jobOf(script: string, changes: Partial<ScriptJob> = {}): ScriptJob {
  const { files = [], ...others } = changes
  return {
    interpreter: 'sh',
    interpreterArgs: [],
    script: 'scripts/case.sh',
    args: [],
    files: [{ path: 'scripts/case.sh', bytes: new TextEncoder().encode(script), executable: false }, ...files],
    environment: {},
    network: false,
    limits: LIMITS,
    signal: new AbortController().signal,
    ...others,
  }
}

/** Far more than a case needs, for a loaded machine. */
export const LIMITS = { timeout: 30_000, maxOutputBytes: 100_000, maxProcesses: 64, maxFileBytes: 8_000_000 }

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
