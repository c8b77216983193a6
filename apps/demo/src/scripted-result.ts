import type { ScriptRunner } from '@repertoire/core'
import type { Agreement } from './compare.ts'
import type { AdapterRecord } from './record.ts'

/** A runner, as it is named to people. */
type RunnerNames = Pick<ScriptRunner, 'name' | 'isolation'>

/** The result of the story. */
export interface ScriptedResult {
  readonly task: string
  /** The adapter that was given a fault. */
  readonly broken?: string
  /** How many skills there are, each as its lock has it. */
  readonly skills: number
  /** Whether the folders were git repositories. */
  readonly withGit: boolean
  /** What ran the scripts of the story. */
  readonly runner: RunnerNames
  readonly adapters: readonly AdapterRecord[]
  readonly agreement: Agreement
  /** The files at the beginning. */
  readonly files: Readonly<Record<string, string>>
  readonly sandbox: SandboxResult
}

/** The same script in the system's sandbox, or why it does not work here. */
export type SandboxResult =
  | {
      readonly runner: RunnerNames
      readonly adapters: readonly AdapterRecord[]
      /** Among the adapters, and with what the story's runner printed. */
      readonly agreement: Agreement
    }
  | { readonly absent: string }
