import type { Output } from './output/output.ts'

/** What a command needs. */
export interface Context {
  readonly stdout: Output
  readonly stderr: Output
  /** Relative paths start here. Absolute. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** 0: all is well. 1: there are findings or failures. 2: the command was used wrongly, or failed itself. */
export type ExitCode = 0 | 1 | 2

/** Sets the exit code. */
export type Finish = (code: ExitCode) => void
