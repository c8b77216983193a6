import type { Output } from './output/output.ts'

/** What a command works with. */
export interface Context {
  readonly stdout: Output
  readonly stderr: Output
  /** Relative paths start here. Absolute. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** 0: all is well. 1: there are findings or failures. 2: the command was used wrongly, or failed itself. */
export type ExitCode = 0 | 1 | 2

/** How a command tells its exit code. */
export type Finish = (code: ExitCode) => void
