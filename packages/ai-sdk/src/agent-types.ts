import type { OwnedSessionOptions } from '@repertoire/core/adapter'

/** How the sessions of a `skillsAgent` are opened. The agent itself chooses their ids, and where they are kept. */
export type AgentSession = OwnedSessionOptions

/** The `options` of a call of an agent with `sessions`. */
export interface SkillsCall {
  /** The name of the task, such as the id of a chat. Absent: a session that ends with the call. */
  readonly session?: string | undefined
}
