import type { Agreement } from '../compare.ts'
import type { AdapterRecord } from '../record.ts'

/** The result of a live run. */
export interface LiveResult {
  readonly task: string
  readonly model: string
  readonly baseURL: string
  /** The folder that the tools looked at. */
  readonly folder: string
  /** Who answered consent requests: a person, `--yes`, or no one. */
  readonly consent: 'person' | 'yes' | 'nobody'
  readonly adapters: readonly AdapterRecord[]
  /** Of the adapters whose model was called. */
  readonly agreement: Agreement
  /** Additional notes. */
  readonly notes: readonly string[]
}
