import type { Output } from './output/output.ts'

/** What a command needs. */
export interface Context {
  readonly stdout: Output
  readonly stderr: Output
  /** Relative paths start here. Absolute. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What is given to the command, where it reads that at all. */
  readonly input?: () => Input | undefined
  /** Resolves when a command that goes on is to end. Absent: it ends with the process's signals. */
  readonly stopped?: Promise<void> | undefined
  /** The arguments as they were given: a `--` is no longer there in what a command gets. */
  readonly args?: readonly string[]
}

/** The standard input of the command. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** 0: all is well. 1: there are findings or failures. 2: the command was used wrongly, or failed itself. */
export type ExitCode = 0 | 1 | 2

/** Sets the exit code: one of the command's own, or of a script that it has run. */
export type Finish = (code: number) => void
