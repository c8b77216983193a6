/**
 * The ports and the values that pass through them. Read this file first: everything else is one
 * implementation of what stands here.
 *
 * A source finds skills. The catalog is one immutable index over all sources. A session is one task of one
 * agent: what it may see, what was agreed to, which skills are active. Every tool call of the host passes the
 * session. An adapter carries that into a framework and decides nothing.
 */

// ── What a skill says of itself ──────────────────────────────────────────────────────────────────────────

/** Where a skill comes from, highest precedence first by default. A layer is given by the host, never guessed. */
export type Layer = 'enterprise' | 'personal' | 'project' | 'plugin' | 'bundled'

/**
 * How strictly a manifest is read. `strict`: the standard to the letter. `default`: what leaves the skill usable
 * is a warning. `lenient`: whatever can be loaded with certainty is.
 */
export type Profile = 'strict' | 'default' | 'lenient'

/** What a skill's body is: text for the model, a plan, a script, or a template. */
export type SkillType = 'instruction' | 'composite' | 'script' | 'template'

/** One step of a plan. */
export interface CompositeStep {
  /** The host's tool that the step calls. */
  readonly tool: string
  /** The tool's input: `{}` where the author gave none. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** What the step is for. */
  readonly description?: string
}

/** What a skill's body defines, by the skill's type. */
export type SkillDefinition =
  | {
      readonly type: 'instruction'
      /** The whole body, byte for byte. */
      readonly content: string
    }
  | {
      readonly type: 'composite'
      /** At least one. */
      readonly steps: readonly CompositeStep[]
    }
  | {
      readonly type: 'script'
      readonly script: string
      /** As the author names it: `bash`, `python`. */
      readonly language?: string
    }
  | { readonly type: 'template'; readonly template: string }

/** Only `active` skills are listed. */
export type SkillStatus = 'active' | 'draft' | 'disabled'

/** One entry of `allowed-tools`: a tool's name and, where the right is narrower than the tool, a pattern. */
export interface ToolRule {
  readonly tool: string
  /** What stands between the parentheses, as written. Absent: the whole tool. */
  readonly pattern?: string
}

/** The typed frontmatter of a SKILL.md. Fields that the author left out are absent, or have the default named here. */
export interface Manifest {
  readonly name: string
  readonly description: string
  readonly license?: string
  readonly compatibility?: string
  readonly metadata: Readonly<Record<string, string>>
  /** Absent: nothing is restricted. Empty: nothing is allowed but the skill tools themselves. */
  readonly allowedTools?: readonly ToolRule[]
  /** Default `instruction`. */
  readonly type: SkillType
  /** Default `active`. */
  readonly status: SkillStatus
  readonly model?: string
  /** Default `inherit`. */
  readonly context: 'inherit' | 'fork'
  /** Only with `context: fork`. */
  readonly agent?: string
  readonly hooks: Readonly<{ pre: readonly string[]; post: readonly string[] }>
  /** Integer, default 0. Decides between skills of one name in one layer. */
  readonly priority: number
  readonly tags: readonly string[]
  readonly scope: Readonly<{
    agents?: readonly string[]
    tenants?: readonly string[]
    environments?: readonly string[]
  }>
  /** What the skill takes, as the JSON Schema of an object. Of a template, a script and a composite. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Where an imported skill came from. Absent: it is local. */
  readonly source?: string
  /** Who or what made it: a person, `import`, a program. */
  readonly createdBy?: string
  /** Tools of its own that it brings, each `module:Export`. */
  readonly toolsets: readonly string[]
  /** When it suggests itself. Patterns are RE2 expressions: they run in linear time. */
  readonly triggers: Readonly<{
    keywords: readonly string[]
    verbs: readonly string[]
    patterns: readonly string[]
  }>
  /** How its arguments look, for a person who types them: `[file] [mode]`. */
  readonly argumentHint?: string
  /** More on when to use it; listed behind the description. */
  readonly whenToUse?: string
  /** Default false. True: no model is shown it or may activate it, only a person. */
  readonly disableModelInvocation: boolean
  /** Default true. False: no person is offered it, only a model. */
  readonly userInvocable: boolean
  /** What may not be used while the skill is active, whatever else allows it. Absent: nothing is taken away. */
  readonly disallowedTools?: readonly ToolRule[]
  /** Every other top-level field, as parsed. Kept and reported, never acted on. */
  readonly extra: Readonly<Record<string, unknown>>
}

/** A finding about a file: data, so that a terminal, an editor and a log can each show it in their way. */
export interface Diagnostic {
  /** One of a closed set, see `DIAGNOSTIC_CODES`. */
  readonly code: string
  /** `error`: the skill was not loaded. */
  readonly severity: 'error' | 'warning' | 'info'
  readonly path: string
  /** 1-based. */
  readonly line?: number
  /** What is wrong, with the offending value. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
}

// ── Where skills come from ───────────────────────────────────────────────────────────────────────────────

/** A file of a skill's folder. */
export interface FolderEntry {
  /** Relative to the skill's folder, `/` between parts. */
  readonly path: string
  /** In bytes. */
  readonly size: number
  /** Whether the file carries a run bit. */
  readonly executable: boolean
}

/** Files of a folder, in the order of their paths. */
export interface FolderFiles {
  readonly files: readonly FolderEntry[]
  /** Whether a bound was met, so that files are missing here. */
  readonly truncated: boolean
  /** Entries that are there but are not given out: links, devices, unreadable folders. */
  readonly refused: readonly { readonly path: string; readonly reason: string }[]
}

/** What a folder holds. */
export interface FolderListing extends FolderFiles {
  /**
   * What no model is shown or told the name of, and what a script may use all the same, so that consent covers it:
   * hidden files, and all that lies in hidden folders. `node_modules` stands under its `refused` and is not looked
   * into. `.git`, a repository's own bookkeeping, stands nowhere. Bounded by itself, so that it crowds out no file.
   */
  readonly withheld: FolderFiles
}

/** All of a folder that an activation needs, seen at once. */
export interface FolderSurvey {
  /** The bytes of the manifest file, whole. */
  readonly manifest: Uint8Array
  readonly listing: FolderListing
  /** SHA-256, hex, of what the folder holds, over these bytes of the manifest; made as `digestFolder` says. */
  readonly digest: string
  /** Whether the digest covers all that the folder holds. */
  readonly whole: boolean
  /** SHA-256, hex, of every file that was read, hidden ones and the manifest too, by its path. */
  readonly files: ReadonlyMap<string, string>
  /** As `FoundSkill.hash`: what a scan read of the manifest is known again by it, and the question of consent made. */
  readonly hash?: (bytes: Uint8Array) => string
}

/** One skill's folder, wherever it is kept. Every check is made at the time of the read. */
export interface SkillFolder {
  /** An absolute path or a URI: what people and models are shown. */
  readonly location: string
  /** The same folder by another path, where links lead to it. Scripts are kept from read tools by either. */
  readonly alias?: string
  /**
   * The bytes of the manifest file, whole.
   * @throws {SkillError} RESOURCE_NOT_FOUND, RESOURCE_REFUSED, RESOURCE_TOO_LARGE
   */
  readManifest(): Promise<Uint8Array>
  /** The files, SKILL.md included; hidden ones (`.env`) and `node_modules` stand apart. Bounded. */
  list(): Promise<FolderListing>
  /**
   * The bytes of one file by its relative path.
   * @param options.maxBytes the largest file that is read, in bytes; default 10 MiB
   * @param options.withheld whether hidden files are read too: for a digest, never for a model; default false
   * @throws {SkillError} RESOURCE_PATH_INVALID (leaves the folder), RESOURCE_NOT_FOUND, RESOURCE_REFUSED (hidden, a
   * link, a hard link, a device), RESOURCE_TOO_LARGE
   */
  read(path: string, options?: { readonly maxBytes?: number; readonly withheld?: boolean }): Promise<Uint8Array>
  /**
   * The same as the three above give, for a folder that can do it in one go and hash faster than they allow. Where it
   * is absent, or gives nothing, they are used.
   * @throws {SkillError} as they do
   */
  survey?(): Promise<FolderSurvey | undefined>
}

/** A candidate that a source shows to its visitor. */
export interface FoundSkill {
  readonly folder: SkillFolder
  /** The folder's own name, which the skill's name must equal. */
  readonly folderName: string
  /**
   * What it belongs to inside its source, such as a package with its version. The skill's source is then the source's
   * id, a colon, and this.
   */
  readonly part?: string
  /** The manifest's path, as diagnostics name it. */
  readonly path: string
  /** The manifest's file name as found: `SKILL.md`, or another spelling of it. */
  readonly fileName: string
  /** The manifest's size in bytes. */
  readonly size: number
  /** The first `length` bytes of the manifest, fewer at its end. Valid during the visit, until the next `head`. */
  head(length: number): Uint8Array
  /**
   * The SHA-256 of bytes as 32 characters, one for each byte, where it can be had at once. What was read of a manifest
   * is then known again by it; else the manifest's text is kept for that, which takes about half as much memory again.
   */
  hash?(bytes: Uint8Array): string
}

/**
 * Where skills lie side by side: all that their places have in common, kept once, so that of each only the name of its
 * folder need be kept.
 */
export interface SkillShelf {
  /** As the `location` of the skill's folder. */
  location(folderName: string): string
  /** As `FoundSkill.path`. */
  path(folderName: string): string
  /** As `FoundSkill.folder`; another object with each call. */
  folder(folderName: string): SkillFolder
}

/** What a source tells while it looks for skills. */
export interface SkillVisitor {
  /**
   * @param shelf gives what `found` has as `folder` and `path`, again and whenever it is asked: a catalog then keeps
   * neither. Whoever hands on a candidate that it changed leaves it out.
   */
  skill(found: FoundSkill, shelf?: SkillShelf): void
  diagnostic(diagnostic: Diagnostic): void
  /**
   * Takes what finds things to say that no skill depends on and that a scan would wait for. It is called when someone
   * asks for the diagnostics, once, and does not throw. Absent: the source tells them during the scan.
   */
  later?(find: () => readonly Diagnostic[]): void
}

/** Finds skills. It judges no manifest: that is the catalog's, so that the rules are the same for every source. */
export interface SkillSource {
  /** Tells this source from others in identities and messages. */
  readonly id: string
  readonly layer: Layer
  /**
   * Visits every candidate in an order that is the same on every machine. One bad candidate never ends the scan. It
   * must settle: the opening and every reload wait for it, so a source that asks a network gives up by itself.
   */
  scan(visitor: SkillVisitor): Promise<void>
  /**
   * Tells when a scan may find something else than the last one did. Absent: the source does not change, or cannot
   * tell. It never rejects: what keeps it from watching is a diagnostic, and then it tells nothing.
   */
  watch?(listener: SourceListener): Promise<SourceWatch>
}

/** What a source that is watched tells. */
export interface SourceListener {
  /** Something changed. Told as often as it happens: whoever listens waits until it is quiet. */
  changed(): void
  /** The source is not watched, or not all of it, or no longer. */
  diagnostic(diagnostic: Diagnostic): void
}

/** A source that is being watched. */
export interface SourceWatch {
  /** Ends it. Nothing is told afterwards. Safe to repeat. */
  close(): Promise<void>
}

/**
 * A skill as the catalog knows it: its metadata, and its folder for the rest. Thousands are kept, so that some of this is
 * made when it is asked for: take it by name, since a copy by spreading (`{ ...skill }`) may lack it.
 */
export interface Skill {
  readonly name: string
  readonly manifest: Manifest
  readonly layer: Layer
  /** The id of the source it came from. */
  readonly source: string
  /** The folder, as shown to people and models. */
  readonly location: string
  /** The manifest file. */
  readonly path: string
  /** The same folder at each access, though not always the same object. */
  readonly folder: SkillFolder
}

// ── Consent ──────────────────────────────────────────────────────────────────────────────────────────────

/** A question to whoever may agree. A plain value: it can be stored, sent and answered in another process. */
export interface ConsentRequest {
  /** Tells this question from any other: it is made of the session, the call, its input and the folder's digest. */
  readonly id: string
  readonly callId: string
  readonly session: string
  readonly skill: string
  /** What the model passes to the skill, if anything. */
  readonly args?: string
  readonly description: string
  readonly layer: Layer
  readonly source: string
  readonly location: string
  /** SHA-256 over every file of the folder, hidden ones too, hex; see `digestFolder`. */
  readonly digest: string
  /** `allowed-tools` as rules; absent: the skill restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** `disallowed-tools` as rules; absent: the skill takes nothing away. */
  readonly disallowedTools?: readonly string[]
  readonly scripts: readonly string[]
  /** Commands that run around the activation: those before it, then those after the deactivation. */
  readonly hooks: readonly string[]
  /** Tools of its own that the skill brings, each `module:Export`. */
  readonly toolsets: readonly string[]
  /** The question as text for a person, control characters made visible. */
  readonly text: string
}

/** An answer. Anything but `approved: true` for exactly this request is a no. */
export interface ConsentVerdict {
  readonly requestId: string
  readonly approved: boolean
  /** Shown to the model with a refusal. */
  readonly reason?: string
}

/** Asks. Only `true`, or a verdict with `approved: true`, is a yes; a throw, a time-out or anything else is a no. */
export type ConsentHandler = (
  request: ConsentRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ConsentVerdict | Promise<boolean | ConsentVerdict>

// ── What a skill runs and where it is put ────────────────────────────────────────────────────────────────

/** One command that a skill wants run around its activation, on its way to whoever runs it. */
export interface HookRun {
  /** `pre`: before the activation, which it can stop. `post`: after the deactivation. */
  readonly phase: 'pre' | 'post'
  /** As the skill's `hooks` names it. Untrusted text that was agreed to, not a path that was checked. */
  readonly command: string
  readonly skill: string
  /** The skill's folder, as shown to people and models. */
  readonly location: string
  /** What was agreed to, see `digestFolder`. The folder was measured to be that right before the first hook. */
  readonly digest: string
  /** What was passed to the skill, if anything. */
  readonly args?: string
  readonly session: string
  /** Aborted with the run that asks for the activation, at the end of the session, and when the time is over. */
  readonly signal: AbortSignal
  /**
   * A file of the skill's folder, hidden ones too, as it was agreed to: whoever runs it runs these bytes, and not what
   * lies at `location` by then.
   * @throws {SkillError} RESOURCE_REFUSED: it is another one now; RESOURCE_PATH_INVALID, RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: (path: string) => Promise<Uint8Array>
}

/** What became of a hook. Only `ok: true` is a success; a throw is none. */
export interface HookResult {
  readonly ok: boolean
  /** What it wrote; the model is shown it, cut and cleaned, where the hook stops an activation. */
  readonly output?: string
}

/** Runs a hook. It gives up when the signal aborts; nobody waits for it after that. */
export type HookRunner = (run: HookRun) => HookResult | Promise<HookResult>

/** A file to be mounted. */
export interface MountFile {
  /** Relative to the skill's folder, `/` between parts. It has no `..`, and begins with no `/`. */
  readonly path: string
  /** Whether it carries a run bit. */
  readonly executable: boolean
  /**
   * Its bytes as they were agreed to.
   * @throws {SkillError} RESOURCE_REFUSED: it is another one now; RESOURCE_NOT_FOUND, RESOURCE_TOO_LARGE
   */
  readonly read: () => Promise<Uint8Array>
}

/** A skill's folder that is to be put into the private space of a task. */
export interface MountRequest {
  /** The session's id. Any text: it is the port's to make a folder's name of it. */
  readonly task: string
  readonly skill: string
  readonly digest: string
  /** All that the digest covers, hidden files and SKILL.md too. */
  readonly files: readonly MountFile[]
}

/** Where a skill was mounted. */
export interface Mount {
  /** What the model is given: `private:/.skills/<name>`. */
  readonly path: string
  /** The real folder: an absolute path. */
  readonly location: string
}

/** Puts copies of skills' folders where only one task sees them, and takes them away again. */
export interface SkillMounts {
  /** Whole or not at all. A second mount of one skill in one task takes the place of the first. */
  mount(request: MountRequest): Promise<Mount>
  /**
   * Removes a mount, or all of a task. Also one of another process; one that is not there is no failure.
   * @param skill absent: all of the task's
   */
  unmount(task: string, skill?: string): Promise<void>
}

/** What went wrong beside a call and stopped none: for logs. */
export interface SessionProblem {
  readonly code: SessionProblemCode
  /** What went wrong, where, and what to do. */
  readonly message: string
  /** The skill that it is about. */
  readonly skill?: string
  readonly cause?: unknown
}

/** The closed set of problems. */
export type SessionProblemCode =
  /** A post hook failed. The skill is deactivated all the same. */
  | 'HOOK_FAILED'
  /** A skill's private copy could not be removed. */
  | 'UNMOUNT_FAILED'
  /** A sink of the audit failed: events are missing in it. Told once for each sink. */
  | 'AUDIT_FAILED'

// ── Tokens ───────────────────────────────────────────────────────────────────────────────────────────────

/** How many tokens a text is to the host's model. */
export type TokenCounter = (text: string) => number

// ── Tools and calls ──────────────────────────────────────────────────────────────────────────────────────

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input, always an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A plain function that is offered to a model. */
export interface FunctionTool extends ToolDefinition {
  execute(input: unknown, options: { readonly callId: string; readonly signal?: AbortSignal }): unknown
}

/** Which argument of a host's tool a pattern such as `Bash(git:*)` speaks of, and how it is compared. */
export interface ToolArgument {
  /** The property's name in the input; where several are given, every one that is present must satisfy the rule. */
  readonly argument: string | readonly string[]
  /** `shell`: one simple command; `path`: a file; `url`: an address; `text`: a plain string. */
  readonly kind: 'shell' | 'path' | 'url' | 'text'
  /**
   * Whether the tool shows a file's content, so that scripts of active skills are kept from it. `below`: it shows that
   * of the files below a folder too (it searches, or reads many), so that folders of a skill with scripts are as well.
   * Default false.
   */
  readonly reads?: boolean | 'below'
}

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

/** A call as the model wrote it. */
export interface ToolCall {
  /** The framework's id of the call. */
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** Why a call was not carried out, as the model is told. Worded in core alone, so that every adapter says the same. */
export interface Refusal {
  readonly code: RefusalCode
  readonly reason: string
  /** The rules in force, where they are why. */
  readonly allowedTools?: readonly string[]
}

/** The closed set of reasons that a model can meet. */
export type RefusalCode =
  | 'TOOL_NOT_ALLOWED'
  | 'TOOL_UNKNOWN'
  | 'SCRIPT_READ_BLOCKED'
  | 'INPUT_INVALID'
  | 'SKILL_NOT_FOUND'
  | 'SKILL_BROKEN'
  | 'SKILL_NOT_ACTIVE'
  | 'SKILL_NOT_ON_TOP'
  /** In a fork: the skill that it was made for, or one of the session above, stays active. */
  | 'SKILL_PINNED'
  /** The skill is for models alone, or there is no person to invoke it. */
  | 'SKILL_NOT_INVOCABLE'
  /** The skill runs in a sub-agent, and nothing here runs one. */
  | 'FORK_UNAVAILABLE'
  /** The sub-agent failed. */
  | 'FORK_FAILED'
  /** Forks of forks of forks. */
  | 'FORK_TOO_DEEP'
  | 'CONSENT_DENIED'
  /** A hook of the skill said no, or could not be run. */
  | 'HOOK_FAILED'
  /** The skill has hooks, and there is nothing that runs them. */
  | 'HOOK_UNAVAILABLE'
  /** The skill's folder could not be put into the task's private space. */
  | 'MOUNT_FAILED'
  | 'RESOURCE_NOT_FOUND'
  | 'RESOURCE_REFUSED'
  /** What the call would do must be on record, and the record cannot be written. */
  | 'AUDIT_UNAVAILABLE'
  | 'SESSION_ENDED'

/** What became of a call: a value, or a refusal with the text that the model is shown. Nothing ran if refused. */
export type Outcome<T = unknown> =
  | { readonly ok: true; readonly value: T; readonly text?: string }
  | { readonly ok: false; readonly refusal: Refusal; readonly text: string }
