import type { ConsentRequest, Turn } from '@repertoire/core'
import type { OwnerOptions } from '@repertoire/core/adapter'
import type { Agent, ToolsInput } from '@mastra/core/agent'
import type { ForkOptions } from './binding.ts'

/** Options of an agent that uses skills. */
export interface SkillsAgentOptions extends ForkOptions, OwnerOptions {
  /** Called with what a person's message did before the model was called. */
  readonly onTurn?: ((turn: Turn) => void | Promise<void>) | undefined
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
