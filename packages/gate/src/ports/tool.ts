/** A tool as it is declared to a model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input, always an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** What kind of tool it is, for hosts that sort theirs: `meta` for the skill tools. No model is shown it. */
  readonly group?: string
  /**
   * Whether a host that asks about risky tools should ask about this one. `risky`: it activates a skill, which may run its
   * hooks and changes what is permitted; core asks about it itself. No model is shown it.
   */
  readonly risk?: 'safe' | 'risky'
}

/** A plain function that is offered to a model. */
export interface FunctionTool extends ToolDefinition {
  execute(input: unknown, options: { readonly callId: string; readonly signal?: AbortSignal }): unknown
}

/** Which argument of a host's tool a pattern such as `Bash(git:*)` is compared with, and how. */
export interface ToolArgument {
  /** The property's name in the input; if there are several, every one that is present must satisfy the rule. */
  readonly argument: string | readonly string[]
  /** `shell`: one simple command; `path`: a file; `url`: an address; `sql`: one statement; `text`: a plain string. */
  readonly kind: 'shell' | 'path' | 'url' | 'sql' | 'text'
  /**
   * Whether the tool shows a file's content, so that it may not read scripts of active skills. `below`: it also shows the
   * files below a folder (it searches, or reads many files), so that rules that deny one of them refuse the call.
   * Default false.
   */
  readonly reads?: boolean | 'below'
  /**
   * For `shell`: what reads the commands. Rules are for POSIX shells (`sh`, `bash`, `zsh`); under another one no prefix
   * rule matches. Default `posix`, and `other` on Windows.
   */
  readonly shell?: 'posix' | 'other'
  /**
   * The tool's other arguments that do not change what a call reaches: the command that a shell runs, the file or the
   * address. Descriptions, time-outs, written content and their like are known. Of a shell, no rule with a pattern permits
   * a call with any other argument. Of files and addresses, the text of any other argument is judged as a path or an
   * address too.
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
   * The tool that it stands for, by the name that skills use: `Read`, `Bash`. With `by`: one for each value of that
   * argument, such as `{ view: 'Read', create: 'Write' }`. Absent: it stands for nothing but itself.
   */
  readonly as?: string | Readonly<Record<string, string>>
  /** The argument whose value tells what a call does, if one tool does several things. */
  readonly by?: string
}

/**
 * The host's tools by their own names (in any case): the tool that each stands for, what else there is to know of it, or
 * false where what is known of the name by default does not hold for this host.
 */
export type HostTools = Readonly<Record<string, string | HostTool | false>>

/** A call as the model wrote it. */
export interface ToolCall {
  /** The framework's id of the call. */
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** A file to be mounted. */
export interface MountFile {
  /** Relative to the skill's folder, `/` between parts. It holds no `..` and does not begin with `/`. */
  readonly path: string
  /** Whether its executable bit is set. */
  readonly executable: boolean
  /**
   * Reads the bytes that were consented to.
   * @throws {SkillError} RESOURCE_REFUSED: it has changed; RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: () => Promise<Uint8Array>
}

/** A skill's folder to mount in the private space of a task. */
export interface MountRequest {
  /** The session's id. It can be any text: the port turns it into a folder name. */
  readonly task: string
  readonly skill: string
  readonly digest: string
  /** All files that the digest covers, including hidden ones and SKILL.md. */
  readonly files: readonly MountFile[]
}

/** Where a skill was mounted. */
export interface Mount {
  /** The path for the model: `private:/.skills/<name>`. */
  readonly path: string
  /** The real folder: an absolute path. */
  readonly location: string
}

/**
 * Copies skills' folders to a place that only one task sees, and removes them again. Each is waited for as long as the
 * option `catalog.loadTimeout` says; a mount that is made later is unmounted.
 */
export interface SkillMounts {
  /** Mounts the whole folder or nothing. A second mount of a skill in a task replaces the first. */
  mount(request: MountRequest): Promise<Mount>
  /**
   * Removes a mount, or all mounts of a task, including those of other processes. Does not fail if there is none.
   * @param skill absent: all mounts of the task
   */
  unmount(task: string, skill?: string): Promise<void>
}
