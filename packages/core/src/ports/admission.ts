/**
 * Which skills may load at all, by what they ask for. It is judged by the manifest of every reload and again at every
 * activation, never by a name alone. "Read-only skills" is one line:
 * `{ tools: ['Read', 'Grep', 'Glob'], scripts: false, hooks: false }`.
 */
export interface Admission {
  /**
   * The most that a skill may name in `allowed-tools`, as rules such as `Read` or `Bash(git:*)`: each of its rules must
   * certainly lie within one of these. Default: any.
   */
  readonly tools?: readonly string[] | undefined
  /**
   * What a skill without `allowed-tools` gets while it is active: `everything` (it restricts nothing), `nothing` but
   * the skill tools, or these rules, each within `tools`. It restricts, and never preapproves a call. Default: `tools`,
   * or `everything` if there are none.
   */
  readonly withoutAllowedTools?: 'everything' | 'nothing' | readonly string[] | undefined
  /**
   * Whether a skill may carry what can be run: files that are not certainly documents, data or pictures, the type
   * `script`, `toolsets`. False: the files of every skill are listed at every reload. Default true.
   */
  readonly scripts?: boolean | undefined
  /** Whether a skill may have hooks. Default true. */
  readonly hooks?: boolean | undefined
}
