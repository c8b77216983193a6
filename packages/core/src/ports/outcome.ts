/** Why a call was not carried out, as the model is shown it. Written in core alone, so that all adapters show the same. */
export interface Refusal {
  readonly code: RefusalCode
  readonly reason: string
  /** The rules in force, where they are the reason. */
  readonly allowedTools?: readonly string[]
}

/** The closed set of codes of refusals. */
export type RefusalCode =
  | 'TOOL_NOT_ALLOWED'
  | 'TOOL_UNKNOWN'
  | 'SCRIPT_READ_BLOCKED'
  | 'INPUT_INVALID'
  | 'SKILL_NOT_FOUND'
  | 'SKILL_BROKEN'
  | 'SKILL_NOT_ACTIVE'
  | 'SKILL_NOT_ON_TOP'
  /** In a fork: the skill that it runs, or one of the parent session, stays active. */
  | 'SKILL_PINNED'
  /** The skill is for models alone, or there is no person to invoke it. */
  | 'SKILL_NOT_INVOCABLE'
  /** The skill runs in a sub-agent, and nothing here runs one. */
  | 'FORK_UNAVAILABLE'
  /** The sub-agent failed. */
  | 'FORK_FAILED'
  /** Forks of forks of forks. */
  | 'FORK_TOO_DEEP'
  | 'CONSENT_DENIED'
  /** A hook of the skill failed, or could not be run. */
  | 'HOOK_FAILED'
  /** The skill has hooks, and there is nothing that runs them. */
  | 'HOOK_UNAVAILABLE'
  /** The skill's folder could not be put into the task's private space. */
  | 'MOUNT_FAILED'
  | 'RESOURCE_NOT_FOUND'
  | 'RESOURCE_REFUSED'
  /** The call must be on record, and the record cannot be written. */
  | 'AUDIT_UNAVAILABLE'
  | 'SESSION_ENDED'

/** The outcome of a call: a value, or a refusal with the text that the model is shown. Nothing ran if it was refused. */
export type Outcome<T = unknown> =
  | { readonly ok: true; readonly value: T; readonly text?: string }
  | { readonly ok: false; readonly refusal: Refusal; readonly text: string }
