import type { WireRequest } from '@repertoire/conformance'

/** Everything that is recorded of one adapter's run. A plain value: `--json` prints it as it is. */
export interface AdapterRecord {
  /** As `--adapter` names it. */
  readonly adapter: string
  /** The framework cannot hide tools, so the tools that it offers are not compared. Absent: it can. */
  readonly hidesTools?: false
  /** The requests to the model endpoint, oldest first. */
  readonly requests: readonly Received[]
  /** The host tools that really ran, in starting order. */
  readonly runs: readonly Run[]
  readonly consents: readonly Consent[]
  /** Absent if the run failed. */
  readonly answer?: string
  /** Why there is no answer. */
  readonly failure?: string
  /** The files after the task: relative path → content. Absent if the tools change none. */
  readonly files?: Readonly<Record<string, string>>
}

/** The parts of one request that the model was shown. */
export type Received = Pick<WireRequest, 'system' | 'tools' | 'messages'>

/** A host tool that ran. */
export interface Run {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
}

/** A consent request before an activation, with its answer. */
export interface Consent {
  readonly callId: string
  readonly skill: string
  /** The text of the request as it was shown. */
  readonly text: string
  readonly approved: boolean
  readonly reason?: string
}
