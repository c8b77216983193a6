import type { ConsentRequest, ConsentAnswer } from '../ports/consent.ts'
import type { Outcome } from '../ports/outcome.ts'
import type { ToolCall } from '../ports/tool.ts'
import type { RunOptions } from './lifetime.ts'
import type { SavedSession } from './state/seal.ts'

/** The run that a call is part of. */
export interface CallOptions extends RunOptions {
  /** Runs the sub-agent of a skill with `context: fork`. Without it such a skill is refused. */
  readonly fork?: ForkRunner | undefined
  /**
   * Whether the caller asks about a call that waits for consent, and makes it again: its outcome then has `waits`.
   * Default: false, the call is denied.
   */
  readonly canWait?: boolean | undefined
  /**
   * Returns what an earlier run has put on record of a request, where the framework makes what suspended a run once
   * more. Default: what the session knows itself.
   */
  readonly recorded?: ((requestId: string) => 'asked' | 'answered' | undefined) | undefined
  /**
   * Identifies the model's message that the call is in, for frameworks that carry out each call of a message in a
   * session of its own. The calls of one message that are about the same skill are then asked about and carried out
   * once. Default: that of the step; calls of the session itself are each in none.
   */
  readonly message?: string | undefined
}

/** A host's own run of a script. */
export interface RunScriptOptions extends Pick<RunOptions, 'signal'> {
  /** What is passed to the script, as they are: no shell reads them. Default: none. */
  readonly args?: readonly string[] | undefined
  /** The active skill whose script it is. Default: the one that was activated last. */
  readonly skill?: string | undefined
  /** Identifies the run in the audit and in a request for consent. Default: random. */
  readonly id?: string | undefined
}

/** The run that a person's message begins. */
export interface TurnOptions extends CallOptions {
  /** Identifies the message, and with it the request for consent to what it invokes. Default: random. */
  readonly id?: string | undefined
}

/** A person's activation of a skill. */
export interface ActivateOptions extends CallOptions {
  /** What is passed to the skill. */
  readonly args?: string | undefined
  /** Identifies the activation: the request for consent has this as its `callId`. Default: random. */
  readonly id?: string | undefined
}

/**
 * Runs a sub-agent for a skill: a new conversation over the session of the request, with the same duties as any other
 * (`step`, and `call` of each step). Returns the text that the sub-agent ends with; a throw is the fork's failure. It
 * stops when the signal aborts. Core ends the session afterwards.
 */
export type ForkRunner = (request: ForkRequest) => Promise<ForkResult | string>

/** A skill that is to be run by a sub-agent. */
export interface ForkRequest {
  readonly skill: string
  /** The kind of agent that the skill asks for, if it does. */
  readonly agent?: string
  /** The model that the skill asks for, if it does: a name for the host to resolve. */
  readonly model?: string
  /** Reports that the sub-agent runs with another model than that: the problem MODEL_NOT_USED. */
  readonly reportModel: () => void
  /** The text of the activation, for the sub-agent's system prompt or its first message. */
  readonly instructions: string
  /** What the sub-agent is to do: the arguments of the call, or a sentence that says to do what the skill says. */
  readonly prompt: string
  /** Both, as the first message of the sub-agent's conversation. */
  readonly message: string
  /** A system prompt for a sub-agent that has none of its own. */
  readonly system: string
  /**
   * The sub-agent's own session. Everything that is active in the parent session and the skill itself are active in it
   * and stay so: its rights are never wider. It sees the skills that the parent sees. Where the parent has no consent
   * handler, no question is asked in it, and calls without a grant are denied.
   */
  readonly session: Session
  /** The call that requested the fork. */
  readonly callId: string
  /** Aborts with the call, and at the end of the parent session. */
  readonly signal: AbortSignal
}

/** What a sub-agent ended with. */
export interface ForkResult {
  /** What the parent's model is shown. */
  readonly text: string
  /** Tokens that the sub-agent took. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number }
}

/**
 * One task of one agent: what it may see, what was consented to, which skills are active. It is a plain object: its
 * methods can be taken off, as in `const { call } = session`, and passed on. What only adapters need is in
 * `adapterSession(session)` of `@repertoire/core/adapter`.
 */
export interface Session {
  readonly id: string
  /** The names of the active skills, in the order of their activation. */
  readonly activeSkills: readonly string[]
  /**
   * Activates a skill for a person: also one that no model may activate, but not one that persons may not. It asks for
   * consent like any other activation. In a fork there is no person, so it is refused.
   * @throws the signal's reason
   */
  readonly activate: (skill: string, options?: ActivateOptions) => Promise<Outcome>
  /**
   * Every tool call of the model passes here. A skill tool is carried out by the session, and needs no `execute`. A
   * tool of the host's is authorised, and only then is `execute` called, with the tool's real name and a copy of the
   * input that was judged. What `execute` throws is rethrown. Once the signal aborts, nothing is waited for: what a
   * tool that ignores it ends with later is dropped, and the audit records it as `tool.late`.
   *
   * A skill with `context: fork` is run by `options.fork` and never becomes active here; the outcome is its sub-agent's
   * result. Other calls go on beside it.
   * @throws the signal's reason, at once; with a sub-agent, after it has stopped, or after 5 seconds
   */
  readonly call: (call: ToolCall, execute?: (call: ToolCall) => unknown, options?: CallOptions) => Promise<Outcome>
  /**
   * Runs a script of an active skill for the host's own program, as a call of the model's tool would: in its runner,
   * judged by the skills that are active now and by the host's policy. The `value` of the outcome is a `ScriptOutput`.
   * @param path the script, relative to the folder of its skill
   * @throws the signal's reason
   */
  readonly runScript: (path: string, options?: RunScriptOptions) => Promise<Outcome>
  /** Records the answer to an open request. An answer to no open request, or a second one, changes nothing. */
  readonly answer: (answer: ConsentAnswer) => void
  /** Returns the session as a JSON value, for `openSession({ saved })` here or in another process. */
  readonly save: () => SavedSession
  /**
   * Deactivates every skill, top first, and clears the state. Later calls are refused, also those that wait for earlier
   * ones; a request that waits for its answer is abandoned, and forks are stopped and waited for. A host's tool that is
   * already running goes on. Safe to repeat.
   */
  readonly end: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** What `call` would do with a call now. */
export interface CallPreview {
  /**
   * The request that has to be answered before `call` carries the call out. Absent: no request exists, it is answered,
   * or the session's handler is asked.
   */
  readonly waits?: ConsentRequest | undefined
  /** Why a call of a tool of the host's would be refused, whatever a person answers. Absent: it would not. */
  readonly refusal?: Extract<Outcome, { readonly ok: false }>
  /**
   * Whether the host's own approval may ask about it: a call of a tool of the host's, which is neither refused nor
   * preapproved. Absent: it may not.
   */
  readonly approvable?: boolean
  /**
   * Whether the call needs no approval of the host's own: in the mode `preapprove`, where every active skill with
   * allowed tools lists it.
   */
  readonly preapproved: boolean
}

/** The run that a preview is part of. */
export interface PreviewOptions extends Pick<CallOptions, 'signal' | 'message'> {
  /**
   * Whether somebody is asked about what the call waits for: the request is then opened, and `session.answer` records
   * the answer. Default: false, nothing is changed.
   */
  readonly asks?: boolean | undefined
}

/** Judges the calls of one message of the model; of a session, calls that are in no message of a step. */
export interface StepCalls extends Pick<Session, 'call'> {
  /**
   * Says what `call` would do with a call now, for frameworks that ask before any call of a message is carried out. A
   * call of the carrier, and one that represents a person's `/name`, is what it represents.
   * @throws the signal's reason; why the session could not be saved
   */
  readonly preview: (call: ToolCall, options?: PreviewOptions) => Promise<CallPreview>
  /**
   * Returns those of the tools whose calls cannot be judged before they run, and which models may therefore not be
   * offered now. Providers, clients and some frameworks run tools themselves. Such a tool is offered only if each of
   * its calls is allowed without a question.
   * @param names the tools that no function of the host's runs
   */
  readonly unjudged: (names: Iterable<string>) => Promise<ReadonlySet<string>>
  /**
   * Returns the real name of a tool that the model calls in another case; undefined if it has no such tool. For
   * frameworks that look up tools themselves, by their exact names.
   */
  readonly toolName: (name: string) => string | undefined
  /**
   * Returns what the model is shown where an activation was denied, or a call that the host's policy asks about, as
   * `call` would; undefined where this session did not ask about the call. Changes nothing. For frameworks that write
   * the result of a denied call themselves.
   * @param reason why it was denied
   */
  readonly deniedText: (call: ToolCall, reason?: string) => string | undefined
}
