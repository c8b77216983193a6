import type { Agreement } from './compare.ts'
import type { AdapterRecord } from './record.ts'

/** The result of the story. */
export interface ScriptedResult {
  readonly task: string
  /** Whether the folders were git repositories. */
  readonly withGit: boolean
  readonly adapters: readonly AdapterRecord[]
  readonly agreement: Agreement
  /** The files at the beginning. */
  readonly files: Readonly<Record<string, string>>
}
