import type { ConsentRequest, Session, Turn } from '@repertoire/core'
import type { OwnerOptions } from '@repertoire/core/adapter'
import type { Agent, ToolsInput } from '@mastra/core/agent'
import type { ForkOptions } from './binding.ts'

/** How skills are used in the runs of an agent. */
export interface CommonOptions extends ForkOptions {
  /** Called with what a person's message did before the model was called. */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
}

/** Options of an agent that owns its sessions. */
export interface SkillsAgentOptions extends CommonOptions, OwnerOptions {}

/** Options of an agent that works in a session of the host's. */
export interface SessionAgentOptions extends CommonOptions {
  /** The task's session. The agent never saves or ends it. */
  readonly session: Session
}

/** A consent request, with the call that waits for its answer. */
export interface PendingConsent {
  readonly toolCallId: string
  readonly request: ConsentRequest
}

/** An agent of Mastra's that uses skills. */
export type SkillsAgent<Id extends string = string, Tools extends ToolsInput = ToolsInput, Output = undefined> = Agent<
  Id,
  Tools,
  Output
> & {
  /**
   * Returns the consent requests that a run waits for. Calls that wait for Mastra's own approval are not among them.
   */
  requests(runId: string): Promise<PendingConsent[]>
}
