/**
 * How the rules of active skills are applied. `restrict`: calls that their `allowed-tools` do not list are refused.
 * `preapprove`: the rules refuse nothing, and calls that they list skip the host's approval. `advisory`: the rules
 * refuse nothing, and calls that `restrict` would refuse are recorded. The host's policy applies in every mode.
 */
export type GateMode = 'restrict' | 'preapprove' | 'advisory'

/** Whose rules apply if several skills are active: those of `all`, or only those of the last one, on `top`. */
export type GateComposition = 'all' | 'top'

/**
 * Which rules of skills count. `any`: all. `known`: none that is unbounded, which is a whole shell and every prefix
 * rule but those for readers, commands that only read and print. The skill loads without them; exact rules stay.
 */
export type ProgramPolicy = 'any' | 'known'

/** What the host permits. A skill can only restrict it further. */
export interface HostPolicy {
  /** Rules as in `allowed-tools`, such as `Bash(git:*)`. Absent: every tool. Empty: only the skill tools. */
  readonly allow?: readonly string[] | undefined
  /** Rules as in `disallowed-tools`: calls that may match one are refused. */
  readonly deny?: readonly string[] | undefined
  /**
   * Rules read as those of `deny`: a call that may match one, and is permitted otherwise, needs consent, each time that
   * it is made. `deny` goes before `ask`, and `ask` before `allow`.
   */
  readonly ask?: readonly string[] | undefined
  /**
   * Paths that no call may name, with all below them, absolute or relative to the session's `cwd`; nor may a call
   * change a folder above one. Tools for files are held by resolved paths, command lines by mention: see the page about
   * rules. To hold a program to files, run it in a sandbox with `hide` or `protect`.
   */
  readonly protect?: readonly string[] | undefined
  /** Which rules of skills count; the host's own `allow` is not affected. Default `any`. */
  readonly programs?: ProgramPolicy | undefined
  /**
   * Whether your shell tool runs commands with `safeGitEnvironment()`. The question about a skill then no longer says
   * that readers of git run what a repository's git configuration names. Default false.
   */
  readonly safeGit?: boolean | undefined
}

/** The list of a skill or of the host's policy that refused a call. */
export interface RefusedBy {
  /** `script`: the call reads a script of the skill. */
  readonly by: 'allowed-tools' | 'disallowed-tools' | 'script' | 'policy.allow' | 'policy.deny' | 'policy.protect'
  /** The active skill that refused. Absent: the host's policy did. */
  readonly skill?: string | undefined
  /** The rule that denies the call, as it is written, or the protected file. Absent: no rule allows the call. */
  readonly rule?: string
}
