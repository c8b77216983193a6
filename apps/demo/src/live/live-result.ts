import type { Agreement } from '../compare.ts'
import type { AdapterRecord } from '../record.ts'

/** What came of a live run. */
export interface LiveResult {
  readonly task: string
  readonly model: string
  readonly baseURL: string
  /** The folder that the tools looked at. */
  readonly folder: string
  /** Who gave consent: a person, `--yes`, or nobody. */
  readonly consent: 'person' | 'yes' | 'nobody'
  readonly adapters: readonly AdapterRecord[]
  /** Over the adapters whose model was asked anything. */
  readonly agreement: Agreement
  /** What is to be known beside. */
  readonly notes: readonly string[]
}
