/**
 * How the rules of active skills are applied. `restrict`: calls that their `allowed-tools` do not list are refused.
 * `preapprove`: the rules refuse nothing, and calls that they list skip the host's approval. `advisory`: the rules refuse
 * nothing, and calls that `restrict` would refuse are recorded. The host's policy applies in every mode.
 */
export type GateMode = 'restrict' | 'preapprove' | 'advisory'

/** Whose rules apply if several skills are active: those of all (`narrow`), or only those of the last one (`top`). */
export type GateComposition = 'narrow' | 'top'

/** What the host permits. A skill can only restrict it further. */
export interface HostPolicy {
  /** Rules as in `allowed-tools`, such as `Bash(git:*)`. Absent: every tool. Empty: only the skill tools. */
  readonly allow?: readonly string[]
  /** Rules as in `disallowed-tools`: calls that may match one are refused. */
  readonly deny?: readonly string[]
  /**
   * Files that no call may name, absolute or relative to the session's `cwd`, such as the configuration of permissions.
   * Nor may a call move, remove or replace a parent folder of one. The check compares text, so it stops a model but is
   * not a security boundary: keep these files where the agent's user cannot write.
   */
  readonly protect?: readonly string[]
}
