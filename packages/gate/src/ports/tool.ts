/** Which argument of a host's tool a pattern such as `Bash(git:*)` is compared with, and how. */
export interface ToolArgument {
  /** The property's name in the input; if there are several, every one that is present must satisfy the rule. */
  readonly argument: string | readonly string[]
  /** `shell`: one simple command; `path`: a file; `url`: an address; `sql`: one statement; `text`: a plain string. */
  readonly kind: 'shell' | 'path' | 'url' | 'sql' | 'text'
  /**
   * Whether the tool shows a file's content, so that it may not read scripts of active skills. `below`: it also shows
   * the files below a folder (it searches, or reads many files), so that rules that deny one of them refuse the call.
   * Default false.
   */
  readonly reads?: boolean | 'below'
  /**
   * For `shell`: what reads the commands. Rules are for POSIX shells (`sh`, `bash`, `zsh`); under another one no prefix
   * rule matches. Default `posix`, and `other` on Windows.
   */
  readonly shell?: 'posix' | 'other'
  /**
   * The tool's other arguments that do not change what a call reaches. Descriptions, time-outs, written content and
   * their like are known. Of a shell, no rule with a pattern permits a call with any other argument. Of files and
   * addresses, the text of any other argument is judged too.
   */
  readonly harmless?: readonly string[]
  /**
   * For `shell`: the two properties of a tool that starts a program without a shell, the program and the list of its
   * arguments. Where a call has the first, both are judged as the command that they amount to.
   */
  readonly program?: { readonly name: string; readonly args: string }
}

/** What one of the host's tools is, for rules that name tools as skills' authors know them. */
export interface HostTool extends Partial<ToolArgument> {
  /**
   * The tool that it maps to, by the name that skills use: `Read`, `Bash`. With `by`: one for each value of that
   * argument, such as `{ view: 'Read', create: 'Write' }`. Absent: it maps only to itself.
   */
  readonly as?: string | Readonly<Record<string, string>>
  /** The argument whose value tells what a call does, if one tool does several things. */
  readonly by?: string
}

/**
 * The host's tools by their own names (in any case): the tool that each stands for, what else there is to know of it,
 * or false where what is known of the name by default does not hold for this host.
 */
export type HostTools = Readonly<Record<string, string | HostTool | false>>
