import type { RefusedBy } from '@repertoire/gate/internal'
import type { ConsentRequest } from './consent.ts'

/** Why a call was not carried out, as shown to the model. Only core writes it, so that all adapters show the same. */
export interface Refusal {
  readonly code: RefusalCode
  readonly reason: string
  /** What the model is not told, for the host: the failure behind the reason, with its paths, and what to do. */
  readonly detail?: string | undefined
  /**
   * With `TOOL_NOT_ALLOWED`: what all active skills and the host's policy allow together, in the names of the host's
   * tools. Absent: no list of allowed tools restricts the call. An entry such as `Read(docs/**) and Read(*.md)` allows
   * calls that match all of its rules.
   */
  readonly allowedTools?: readonly string[]
  /** With `TOOL_NOT_ALLOWED` and `SCRIPT_READ_BLOCKED`: what refused. The model reads it in the reason. */
  readonly refusedBy?: RefusedBy
}

/** The closed set of refusal codes. */
export type RefusalCode =
  | 'TOOL_NOT_ALLOWED'
  | 'TOOL_UNKNOWN'
  | 'SCRIPT_READ_BLOCKED'
  | 'INPUT_INVALID'
  | 'SKILL_NOT_FOUND'
  | 'SKILL_BROKEN'
  | 'SKILL_NOT_ACTIVE'
  | 'SKILL_NOT_ON_TOP'
  /** It asks for more now than the host admits. */
  | 'SKILL_NOT_ADMITTED'
  /** In a fork, its skill and the skills of the parent session cannot be deactivated. */
  | 'SKILL_PINNED'
  /** The skill is only for models, or there is no person to invoke it. */
  | 'SKILL_NOT_INVOCABLE'
  /** The skill runs in a sub-agent, and the host cannot run one. */
  | 'FORK_UNAVAILABLE'
  /** The sub-agent failed. */
  | 'FORK_FAILED'
  /** Forks are nested too deeply. */
  | 'FORK_TOO_DEEP'
  | 'CONSENT_DENIED'
  /** The host's policy asks about the call (`policy.ask`), and consent was not given. */
  | 'CALL_DENIED'
  /** A hook before the activation failed or could not be run. */
  | 'HOOK_FAILED'
  /** The skill has hooks, and there is no hook runner. */
  | 'HOOK_UNAVAILABLE'
  /** The tools that the skill brings cannot be loaded, or one has the name of another tool. */
  | 'TOOLSET_FAILED'
  /** The skill's folder could not be mounted in the task's private space. */
  | 'MOUNT_FAILED'
  /** The skill's template cannot be rendered with these parameters. */
  | 'TEMPLATE_FAILED'
  /** The plan of a composite skill runs the skill itself. */
  | 'PLAN_CYCLE'
  /** Composite skills nest too deeply, or take too many steps. */
  | 'PLAN_TOO_LARGE'
  | 'RESOURCE_NOT_FOUND'
  | 'RESOURCE_REFUSED'
  /** Nothing here runs the script: there is no runner, none of its kind, or it could not be started. */
  | 'SCRIPT_UNAVAILABLE'
  /** The script, or a file beside it, is not what was agreed to. */
  | 'SCRIPT_CHANGED'
  /** The script holds a dangerous pattern. */
  | 'SCRIPT_DANGEROUS'
  /** What runs scripts failed. The script may have run. */
  | 'SCRIPT_FAILED'
  /** The call must be recorded in the audit, and the record cannot be written. */
  | 'AUDIT_UNAVAILABLE'
  | 'SESSION_ENDED'

/**
 * The outcome of a call: a value, or a refusal with the text that the model is shown. A refused call did not run. A
 * refusal with `waits` stands until somebody answers that request: `session.answer` records the answer, and the same
 * call again carries on.
 */
export type Outcome<T = unknown> =
  | { readonly ok: true; readonly value: T; readonly text?: string }
  | { readonly ok: false; readonly refusal: Refusal; readonly text: string; readonly waits?: ConsentRequest }
