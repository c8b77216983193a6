/**
 * How the rules of active skills are applied. `restrict`: calls that their `allowed-tools` do not list are refused.
 * `preapprove`: the rules refuse nothing, and calls that they list skip the host's approval. `advisory`: the rules refuse
 * nothing, and calls that `restrict` would refuse are recorded. The host's policy applies in every mode.
 */
export type GateMode = 'restrict' | 'preapprove' | 'advisory'

/** Whose rules apply if several skills are active: those of all (`narrow`), or only those of the last one (`top`). */
export type GateComposition = 'narrow' | 'top'

/**
 * Which programs a skill's rules may hand out. `any`: what they name. `known`: a rule with a prefix permits a program only
 * if it is known and does not run code by its nature, such as `make`, `npm`, `python` or `sqlite3`; so does a rule for a
 * shell as a whole. A rule with exactly the words of a command permits that command all the same.
 */
export type ProgramPolicy = 'any' | 'known'

/** What the host permits. A skill can only restrict it further. */
export interface HostPolicy {
  /** Rules as in `allowed-tools`, such as `Bash(git:*)`. Absent: every tool. Empty: only the skill tools. */
  readonly allow?: readonly string[]
  /** Rules as in `disallowed-tools`: calls that may match one are refused. */
  readonly deny?: readonly string[]
  /**
   * Rules read as those of `deny`: a call that may match one, and is permitted otherwise, needs consent, each time that it
   * is made. `deny` goes before `ask`, and `ask` before `allow`.
   */
  readonly ask?: readonly string[]
  /**
   * Files that no call may name, absolute or relative to the session's `cwd`, such as the configuration of permissions.
   * Nor may a call move, remove or replace a parent folder of one. The check compares text, so it stops a model but is
   * not a security boundary: keep these files where the agent's user cannot write.
   */
  readonly protect?: readonly string[]
  /** Which programs the rules of skills may hand out; the host's own `allow` is not affected. Default `any`. */
  readonly programs?: ProgramPolicy
}
