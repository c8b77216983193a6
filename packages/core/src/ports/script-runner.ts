/** One file that a script may use, as it was consented to. */
export interface ScriptFile {
  /** Relative to the skill's folder, `/` between parts. It holds no `..` and does not begin with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Whether its executable bit is set. It never decides what runs a script. */
  readonly executable: boolean
}

/**
 * A folder with the user's files, which scripts and commands find in `WORKSPACE_DIR`. All runners take this shape;
 * their options say what they enforce.
 */
export interface Workspace {
  /** The folder: of the host, or with `sandboxRunner` an absolute one in the sandbox. */
  readonly path: string
  /** What scripts may do there. Default `read`. */
  readonly access?: 'read' | 'write' | undefined
  /**
   * With `write`: what stays as it is, also what is not there yet. Paths inside the folder; one that ends with `/` is a
   * folder. None of them may be a link, or lead through one, and a file must have no second name.
   */
  readonly protect?: readonly string[] | undefined
  /**
   * What scripts do not see: each is there, and cannot be opened. Paths inside the folder, as in `protect`; a file must
   * have no second name. With `read`, what comes only while a script runs is not hidden from it.
   */
  readonly hide?: readonly string[] | undefined
}

/** How much a script may use. Whatever is reached ends the script with everything that it started. */
export interface ScriptLimits {
  /** How long it may run, in milliseconds. Default 60,000. */
  readonly timeout: number
  /** How much of both output streams together is kept, in bytes. Default 1,000,000. More is read, and dropped. */
  readonly maxOutputBytes: number
  /** The most processes at once, its own included. Default 64. */
  readonly maxProcesses: number
  /** The largest file that it may write, in bytes, which also bounds its temporary folder. Default 64 MiB. */
  readonly maxFileBytes: number
  /**
   * The most memory that each of its processes may write to, in bytes, where the runner can limit it: not all of them
   * together. What does not fit is refused to the process. Absent: not limited.
   */
  readonly maxMemoryBytes?: number
}

/**
 * A script to run: bytes, arguments and a complete environment, never a path of the host's nor a shell line.
 *
 * The runner puts `files` into a folder that the script cannot change, and starts the interpreter there: the working
 * folder is the copy of the skill's folder, whatever the runner. `SKILL_DIR` names it, `TMPDIR` its own folder
 * that can be written and is removed afterwards, and `WORKSPACE_DIR`, if the runner was given one, the folder with the
 * user's files. These three and `HOME` (the same as `TMPDIR`) and `PATH` are the runner's; the rest of the environment
 * is exactly `environment`.
 */
export interface ScriptJob {
  /** What the script is read by, without a folder: `sh`, `bash`, `python3`, `node`. */
  readonly interpreter: string
  /** Arguments of the interpreter, before the script. */
  readonly interpreterArgs: readonly string[]
  /** The script, a path in `files`. */
  readonly script: string
  /** Literal: no shell reads them. */
  readonly args: readonly string[]
  readonly files: readonly ScriptFile[]
  /** What the script reads from its standard input. Absent: nothing. */
  readonly stdin?: Uint8Array
  /** The complete environment, but for what the runner sets. */
  readonly environment: Readonly<Record<string, string>>
  /** Whether it may use the network. A runner that cannot forbid it says so in `isolation`. */
  readonly network: boolean
  readonly limits: ScriptLimits
  /** Ends the script with everything that it started. */
  readonly signal: AbortSignal
}

/** How a script ended. */
export type ScriptEnd =
  /** By itself, with `exitCode`. */
  | 'exited'
  /** By a signal that was not the runner's: see `signalName`. */
  | 'signalled'
  /** It ran for as long as it may. */
  | 'timed-out'
  /** The job's signal. */
  | 'aborted'

/** What a script did. A script that fails is a result too; only what cannot be started is an error. */
export interface ScriptResult {
  readonly end: ScriptEnd
  /** With `exited`. */
  readonly exitCode?: number
  /** With `signalled`: `SIGSEGV`. */
  readonly signalName?: string
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  /** How many bytes of each stream were dropped. 0: none. */
  readonly dropped: { readonly stdout: number; readonly stderr: number }
  readonly durationMs: number
}

/** What stands between a script and the host. */
export interface ScriptIsolation {
  /** In words of the field, shown in the consent request: `virtual shell`, `bubblewrap`, `none`. */
  readonly name: string
  /** Whether it holds what a script does to the host's files, processes and network; false: it may do all that. */
  readonly isolated: boolean
  /** What it does not hold, or what a script cannot do there, for people. Empty: nothing to say. */
  readonly notes: readonly string[]
}

/** Runs scripts. A host passes one as `scripts.runner`; packages such as `@repertoire/runners` make them. */
export interface ScriptRunner {
  /** Shown to people and in the audit. */
  readonly name: string
  readonly isolation: ScriptIsolation
  /**
   * Whether it has this interpreter, or why not, as a sentence that begins with a capital letter. Must be quick: what
   * has to be looked for is looked for when the runner is opened.
   * @param args arguments of its own, before the script: a runner that cannot pass them on says so
   */
  supports(interpreter: string, args?: readonly string[]): true | string
  /**
   * Runs a job to its end. At the time limit and at the signal it resolves, with nothing left that the script started.
   * @throws {SkillError} SCRIPT_NOT_STARTED: nothing ran, with the reason
   */
  run(job: ScriptJob): Promise<ScriptResult>
  /** Removes whatever it keeps between jobs. What still runs is ended. */
  close?(): Promise<void>
}
