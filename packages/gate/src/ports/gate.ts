/**
 * How the rules of active skills are applied. `restrict`: calls that their `allowed-tools` do not list are refused.
 * `preapprove`: the rules refuse nothing, and calls that they list skip the host's approval. `advisory`: the rules refuse
 * nothing, and calls that `restrict` would refuse are recorded. The host's policy applies in every mode.
 */
export type GateMode = 'restrict' | 'preapprove' | 'advisory'

/** Whose rules apply if several skills are active: those of `all`, or only those of the last one, on `top`. */
export type GateComposition = 'all' | 'top'

/**
 * Which rules of skills count. `any`: all. `known`: none that is unbounded, which is a whole shell and every prefix rule but
 * those for readers, commands that only read and print. The skill loads without them; exact rules stay.
 */
export type ProgramPolicy = 'any' | 'known'

/** What the host permits. A skill can only restrict it further. */
export interface HostPolicy {
  /** Rules as in `allowed-tools`, such as `Bash(git:*)`. Absent: every tool. Empty: only the skill tools. */
  readonly allow?: readonly string[] | undefined
  /** Rules as in `disallowed-tools`: calls that may match one are refused. */
  readonly deny?: readonly string[] | undefined
  /**
   * Rules read as those of `deny`: a call that may match one, and is permitted otherwise, needs consent, each time that it
   * is made. `deny` goes before `ask`, and `ask` before `allow`.
   */
  readonly ask?: readonly string[] | undefined
  /**
   * Paths that no call may name, with all below them, absolute or relative to the session's `cwd`; nor may a call change a
   * folder above one. Tools for files are held by resolved paths, command lines by mention: see the page about rules. To
   * hold a program to files, run it in a sandbox with `hide` or `protect`.
   */
  readonly protect?: readonly string[] | undefined
  /** Which rules of skills count; the host's own `allow` is not affected. Default `any`. */
  readonly programs?: ProgramPolicy | undefined
  /**
   * Whether your shell tool runs commands with `safeGitEnvironment()`. The question about a skill then no longer says that
   * readers of git run what a repository's git configuration names. Default false.
   */
  readonly safeGit?: boolean | undefined
}

/** Why a call was not carried out, as shown to the model. Only core writes it, so that all adapters show the same. */
export interface Refusal {
  readonly code: RefusalCode
  readonly reason: string
  /**
   * With `TOOL_NOT_ALLOWED`: what all active skills and the host's policy allow together, in the names of the host's
   * tools. Absent: no list of allowed tools restricts the call. An entry such as `Read(docs/**) and Read(*.md)` allows
   * calls that match all of its rules.
   */
  readonly allowedTools?: readonly string[]
  /** With `TOOL_NOT_ALLOWED` and `SCRIPT_READ_BLOCKED`: what refused. The model is told it by the reason. */
  readonly refusedBy?: RefusedBy
}

/** The list of a skill or of the host's policy that refused a call. */
export interface RefusedBy {
  /** `script`: the call reads a script of the skill. */
  readonly by: 'allowed-tools' | 'disallowed-tools' | 'script' | 'policy.allow' | 'policy.deny' | 'policy.protect'
  /** The active skill that refused. Absent: the host's policy did. */
  readonly skill?: string
  /** The rule that denies the call, as it is written, or the protected file. Absent: no rule allows the call. */
  readonly rule?: string
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

/** The outcome of a call: a value, or a refusal with the text that the model is shown. A refused call did not run. */
export type Outcome<T = unknown> =
  | { readonly ok: true; readonly value: T; readonly text?: string }
  | { readonly ok: false; readonly refusal: Refusal; readonly text: string }
