import type { WireRequest } from '@repertoire/conformance'

/** All that is known of one adapter's way through a task. A plain value: `--json` prints it as it is. */
export interface AdapterRecord {
  /** As `--adapter` names it. */
  readonly adapter: string
  /** What the model endpoint received, oldest first. */
  readonly requests: readonly Received[]
  /** Which host tools really ran, in the order in which they began. */
  readonly runs: readonly Run[]
  readonly consents: readonly Consent[]
  /** Absent where the run failed. */
  readonly answer?: string
  /** Why there is no answer. */
  readonly failure?: string
  /** The files that the task left on disk: relative path → content. Absent where the tools change none. */
  readonly files?: Readonly<Record<string, string>>
}

/** One request, as far as it says what the model was shown. */
export type Received = Pick<WireRequest, 'system' | 'tools' | 'messages'>

/** A host tool that ran. */
export interface Run {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
}

/** A question that was asked before a skill was activated, and its answer. */
export interface Consent {
  readonly callId: string
  readonly skill: string
  /** The question as it was put. */
  readonly text: string
  readonly approved: boolean
  readonly reason?: string
}
