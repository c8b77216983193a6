import type { RefusedBy } from '@repertoire/gate/internal'
import type { RefusalCode } from '../ports/outcome.ts'
import type { ScriptEnd } from '../ports/script-runner.ts'
import type { Layer } from '@repertoire/skill-md/internal'

/** What happened. New types may come: readers skip unknown ones. */
export type AuditEventType =
  /** An activation was consented to and begins: its hooks and its mount come after this. */
  | 'skill.activating'
  | 'skill.activated'
  /** An activation was refused, `code` says why; or it was aborted. */
  | 'skill.denied'
  /** Written before the restriction is lifted. */
  | 'skill.deactivated'
  /** Written before a tool of the host's runs. */
  | 'tool.started'
  | 'tool.finished'
  /** A tool of the host's ended after its call was aborted: what it returned or threw was dropped. */
  | 'tool.late'
  /** A call was refused for a reason without its own type. */
  | 'tool.refused'
  /** A call that the rules in force do not permit. Where they only advise, `enforced` is false, and it ran. */
  | 'restriction.violated'
  | 'script_read.blocked'
  /** Written after a file of a skill was read, before the model is given it. */
  | 'resource.read'
  | 'resource.refused'
  /** Written after a search for skills, before the model gets the result: `found`. */
  | 'skills.searched'
  /** Skills that fit a person's message were found: the model is shown these, `found`, from the next step on. */
  | 'skills.matched'
  | 'hook.finished'
  | 'hook.failed'
  /** Written before a script of a skill is run by the host's runner. */
  | 'script.started'
  | 'script.finished'
  | 'fork.started'
  | 'fork.finished'
  /** Written before a skill of the type script, template or composite is executed. */
  | 'execution.started'
  /** It was executed. `failed`: its script failed, or a step of its plan. */
  | 'execution.finished'
  /** What a step shows to the model: skills and tools, and what is left out and why. Written once for each step. */
  | 'skills.shown'
  /** A person or the host is asked for consent: `consent`. */
  | 'consent.asked'
  /** A question was answered, or no answer can come any more. Written once for each question. */
  | 'consent.answered'
  /** The model was called, and the host recorded its usage. */
  | 'model.called'
  /** The older part of a conversation was replaced by a summary for the model; `failed`: by an extract of it. */
  | 'window.summarized'
  /** Skills that are not active lost their sections in the system prompt of one model call. */
  | 'window.evicted'
  /** What is sent does not fit into the model's window. */
  | 'window.exceeded'
  /** A summary was dropped: the messages that it covers are not those of the conversation any more. */
  | 'window.forgotten'
  /** The provider keeps or summarises the conversation itself, so nothing is cut. Written once for each session. */
  | 'window.left_alone'

/**
 * `failed`: a tool threw, or returned `isError: true`, `success: false` or an exit code other than 0. `allowed`:
 * against the rules, where these only advise. `suspended`: the framework stopped the call to wait for a person, and
 * makes it again from its beginning.
 */
export type AuditOutcome = 'started' | 'succeeded' | 'failed' | 'aborted' | 'suspended' | 'refused' | 'allowed'

/** A skill, as an event names it. */
export interface AuditedSkill {
  readonly name: string
  /** SHA-256 of its folder, hex, as it was consented to. Absent: it was refused before its folder was read. */
  readonly digest?: string
  readonly layer: Layer
  readonly source: string
  /** Its `allowed-tools`, at most 100. Absent: it restricts nothing. */
  readonly allowedTools?: readonly string[]
  /** In a fork: the parent session that it was activated in. Absent: the event's own. */
  readonly session?: string
}

/** What runs a script, and how it ended. */
export interface AuditedRun {
  readonly interpreter: string
  /** The runner's name. */
  readonly runner: string
  /** What stands between the script and the host. */
  readonly isolation: string
  /** Whether the script is kept apart from the host. False: it has the host's rights. */
  readonly isolated: boolean
  readonly network: boolean
  /** How the script ended. Absent: it has not ended, or its runner failed. */
  readonly end?: ScriptEnd
  readonly exitCode?: number
  readonly signal?: string
  /** Bytes of its output that were dropped at the limit. Absent: none. */
  readonly droppedBytes?: number
}

/** What was done to keep a model's window. Tokens are estimates. */
export interface AuditedWindow {
  /** The window's size, in tokens. */
  readonly size: number
  /** What would have been sent before this step. */
  readonly tokensBefore?: number
  /** What is sent after it. */
  readonly tokens?: number
  /** The number of messages that the summary has newly taken the place of. */
  readonly messages?: number
  /** What wrote the summary: a model, the host, or neither. */
  readonly by?: 'summarizer' | 'extract'
  /** The skills that lost their sections. */
  readonly skills?: readonly string[]
}

/** A question for consent, and its answer. */
export interface AuditedConsent {
  /** The id of the request. */
  readonly request: string
  /** What is asked: whether to activate a skill, or to carry out a call that the host's policy asks about. */
  readonly about: 'skill' | 'call'
  /** SHA-256 of the text that was asked, hex. */
  readonly digest: string
  /** The text, redacted and cut. Only with `consent.asked`, and with `inputs: 'redacted'`. */
  readonly text?: string
  /** Absent: it was asked, or no answer can come any more. */
  readonly answer?: 'yes' | 'no'
  /**
   * What ended the question: the session's `consent` handler, a person who answered later, the time limit, or the end
   * of the run or the task that asked.
   */
  readonly by?: 'handler' | 'person' | 'timeout' | 'abort'
  /** Why not. */
  readonly reason?: string
}

/** Tokens that a call of a model took, as its provider counts them. */
export interface TokenUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
}

/**
 * One thing that happened in a session. A JSON value: no text in it is longer than 4,000 characters, a system prompt
 * than 32,000; none holds a control character or a line break, and secrets of known shapes are `[redacted]`. The same
 * frozen object for all sinks.
 */
export interface AuditEvent {
  readonly version: 1
  readonly type: AuditEventType
  /** ISO 8601, UTC, by the clock of the audit. */
  readonly time: string
  /** The session's id: the task. That of a fork is `<its parent's>/<call>`, `/` and `%` in the call's id encoded. */
  readonly session: string
  /** Of the session's options; a saved session keeps it. */
  readonly correlationId?: string
  readonly agent?: string
  readonly tenant?: string
  readonly environment?: string
  /** The model of the step, where the host named it. */
  readonly model?: string
  readonly callId?: string
  /** The tool's real name; of a refused call, as the model wrote it. */
  readonly tool?: string
  /** What rules take the call for, if that is not the tool's own name: `Bash` for `runCommand`. */
  readonly standsFor?: string
  /** SHA-256 of the call's input as JSON with its keys in order, hex. Two calls with the same input have the same. */
  readonly inputDigest?: string
  /** The call's input, redacted and cut. Only with `inputs: 'redacted'`. */
  readonly input?: unknown
  /** The skill that was activated, deactivated, refused or run, or that refused the call. */
  readonly skill?: AuditedSkill
  /** Those that were active when the model wrote the call, bottom first. */
  readonly skills: readonly AuditedSkill[]
  /**
   * With `restriction.violated`: what all active skills and the host's policy allow together, in the names of the
   * host's tools.
   */
  readonly allowedTools?: readonly string[]
  /** With `restriction.violated` and `script_read.blocked`: the list and the rule that refused the call. */
  readonly refusedBy?: RefusedBy
  /** With `skill.activating` and `skill.activated`: rules of the skill that mean none of the host's tools. */
  readonly unmatchedTools?: readonly string[]
  /** With `skill.activating` and `skill.activated`: rules of the skill that hand out all that a program can do. */
  readonly unboundedRules?: readonly string[]
  /** A script of an active skill that the call runs. */
  readonly script?: { readonly skill: string; readonly path: string }
  /** With the events of scripts, of executions of scripts, and of hooks that a runner ran. */
  readonly run?: AuditedRun
  /**
   * With `tool.finished`: the path that a tool of the host's did not find, by a code of the operating system (`ENOENT`,
   * `ENOTDIR`) or a message that is all there is.
   */
  readonly missing?: string
  /** A file of a skill, relative to its folder. */
  readonly path?: string
  /** With `skills.searched` and `skills.matched`: the names of the skills, best first. */
  readonly found?: readonly string[]
  /** A hook's command. */
  readonly hook?: string
  readonly usage?: TokenUsage
  /** With `skills.shown`. */
  readonly shown?: ShownSkills
  /** With `consent.asked` and `consent.answered`. */
  readonly consent?: AuditedConsent
  /** With events whose type begins with `window.`. */
  readonly window?: AuditedWindow
  /** Of `skill.deactivated`: a call of the model, the end of the task, or a window that is too small for it. */
  readonly endedBy?: 'call' | 'task' | 'window'
  /**
   * How long it took, in milliseconds: of `skill.deactivated`, how long the skill was active, if it was activated
   * with an audit; of a script and a hook that a runner ran, as the runner measured it.
   */
  readonly durationMs?: number
  readonly outcome: AuditOutcome
  readonly code?: RefusalCode
  readonly reason?: string
  readonly error?: string
  /** Whether the refusal was enforced. False: the session's rules only advise. */
  readonly enforced: boolean
}

/** Writes events. Several sessions, of several repertoires too, may share one. */
export interface AuditSink {
  /**
   * Called with one event after the other, in the order in which they happened: the next one when this has settled. A
   * throw or a rejection is a failure, and so is what takes longer than the audit's `timeout`.
   */
  write(event: AuditEvent): void | Promise<void>
  /** Called by `repertoire.close()`, when everything is written. Sessions may go on: a later event opens it again. */
  close?(): void | Promise<void>
}

/** Where events go, and what they may hold. */
export interface AuditOptions {
  readonly sink: AuditSink | readonly AuditSink[]
  /**
   * Whether what happens must be recorded: an activation, a deactivation by the model, a tool of the host's and the
   * reading of a skill's file are refused with AUDIT_UNAVAILABLE where their event cannot be written, before anything
   * runs. Default false: a sink that fails stops nothing.
   */
  readonly required?: boolean | undefined
  /** What events hold of a call's input, of a system prompt and of a question, beside its digest. Default `none`. */
  readonly inputs?: 'none' | 'redacted' | undefined
  /** How long a sink may take for an event, and for its closing, in milliseconds, more than 0. Default 5,000. */
  readonly timeout?: number | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  readonly now?: (() => number) | undefined
}

/** What a step shows to the model. Each list has at most 500 entries; `more` counts the rest. Tokens are estimates. */
export interface ShownSkills {
  /** The number of the step in this session, from 1. */
  readonly step: number
  /** The listed skills, in the order of the list. */
  readonly skills: readonly ShownSkill[]
  /** The skills of the catalog that are not in the list. */
  readonly left: readonly LeftSkill[]
  /** The names of the tools that the model is offered: the host's, then the session's. */
  readonly tools: readonly string[]
  /** The host's tools that the model is not offered, since no call of them would be allowed. Absent: none. */
  readonly withheld?: readonly WithheldTool[]
  readonly tokens: ShownTokens
  /** SHA-256 of the system prompt, hex. */
  readonly digest: string
  /** The system prompt, redacted and cut at 32,000 characters. Only with `inputs: 'redacted'`. */
  readonly text?: string
  /** How many entries each list lacks. Absent: none. */
  readonly more?: { readonly [List in 'skills' | 'left' | 'tools' | 'withheld']?: number }
}

/** A skill in the list. */
export interface ShownSkill {
  readonly name: string
  /** How much of its description the list has: all of it, its beginning, or none, so that there is only the name. */
  readonly as: 'whole' | 'shortened' | 'name'
  /** The tokens of its entry. */
  readonly tokens: number
}

/** A skill that is not in the list. */
export interface LeftSkill {
  readonly name: string
  /** What became of it, as `explain` says. `not-matched`: it does not fit the task, in the listing style `matched`. */
  readonly why: 'cut' | 'hidden' | 'shadowed' | 'inactive' | 'refused' | 'broken' | 'not-matched'
  /** The sentence of `explain`, with what to do about it. */
  readonly reason: string
}

/** A tool of the host's that the model is not offered. */
export interface WithheldTool {
  readonly tool: string
  /** The active skill whose rules withhold it. Absent: the host's policy or the adapter does, as `reason` says. */
  readonly skill?: string
  readonly reason: string
}

/** The tokens of a model call by part. Together they are what is sent. */
export interface ShownTokens {
  /** The system prompt without the list and without instructions: the host's own, and the guidance. */
  readonly system: number
  /** The list of skills. */
  readonly list: number
  /** The instructions of active skills, wherever the model reads them. */
  readonly bodies: number
  /** The definitions of the tools, without those in the list. */
  readonly tools: number
  /** The conversation, without the instructions in it. Absent: the adapter did not say what it sends. */
  readonly messages?: number
}
