/**
 * What the rules of active skills do. `restrict`: what their `allowed-tools` do not list is refused. `preapprove`: they
 * refuse nothing, and what they list skips the host's own approval. `advisory`: nothing of theirs is refused, and what
 * would have been is recorded. The host's policy holds in each.
 */
export type GateMode = 'restrict' | 'preapprove' | 'advisory'

/** Whose rules hold where several skills are active: those of all (`narrow`), or of the last one alone (`top`). */
export type GateComposition = 'narrow' | 'top'

/** What the host itself permits, whatever skills say: a skill can only take away from it. */
export interface HostPolicy {
  /** Rules as in `allowed-tools`, `Bash(git:*)`. Absent: every tool. Empty: none but the skill tools. */
  readonly allow?: readonly string[]
  /** Rules as in `disallowed-tools`: calls that may be what they mean are refused. */
  readonly deny?: readonly string[]
  /**
   * Files that no call may name, absolute or relative to the session's `cwd`: those that say what is permitted. Nor may
   * one move, remove or replace a folder above them. By text, so it stops a model and is no wall: keep them where the
   * agent's user cannot write.
   */
  readonly protect?: readonly string[]
}
