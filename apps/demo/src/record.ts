import type { WireRequest } from '@repertoire/conformance'
import type { Run } from '@repertoire/inspector/run'

/** What came of one adapter. */
export interface AdapterRecord {
  /** As `--adapter` names it. */
  readonly adapter: string
  /** The framework cannot hide tools, so the tools that it offers are not compared. Absent: it can. */
  readonly hidesTools?: false
  /** The requests to the scripted model, oldest first. */
  readonly requests: readonly Received[]
  /** The host tools that really ran, in the order of their calls. */
  readonly toolRuns: readonly ToolRun[]
  /** What the audit says, as the inspector reads it. */
  readonly run: Pick<Run, 'steps' | 'calls'>
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
interface ToolRun {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
}
