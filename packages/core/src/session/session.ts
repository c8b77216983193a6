import type { TokenUsage } from '../audit/events.ts'
import type { ConsentHandler, ConsentRequest, ConsentAnswer } from '../ports/consent.ts'
import type { Outcome } from '../ports/outcome.ts'
import type { ToolCall } from '../ports/tool.ts'
import type { Invocation } from './turn/invocation.ts'
import type { RunOptions } from './run-options.ts'
import type { SavedSession } from './state/seal.ts'
import type { SessionChange, SessionState } from './state/state.ts'
import type { StepView } from './step/view.ts'
import type { Turn } from './turn/turn.ts'

/** What belongs to the run that a call is a part of. */
export interface CallOptions extends RunOptions {
  /** Runs the sub-agent of a skill with `context: fork`. Without it such a skill is refused. */
  readonly fork?: ForkRunner | undefined
}

/** What belongs to a model call. */
export interface StepOptions {
  /** The model's name, as the audit is to show it. */
  readonly model?: string | undefined
}

/** What belongs to the run that a person's message begins. */
export interface TurnOptions extends CallOptions {
  /** Names the message. The invocation in it has this as its id: for `consentFor`, which comes before. Default: random. */
  readonly id?: string | undefined
}

/**
 * Runs a sub-agent for a skill: a fresh conversation over the session that it is given, with the same duties as any
 * other (`beginStep`, `call`). It gives the text that the sub-agent ends with; a throw is the fork's failure. It stops
 * when the signal aborts. The session is ended for it.
 */
export type ForkRunner = (request: ForkRequest) => Promise<ForkResult | string>

/** A skill that is to be run by a sub-agent. */
export interface ForkRequest {
  readonly skill: string
  /** The kind of agent that the skill asks for, if it does. */
  readonly agent?: string
  /** The model that the skill asks for, if it does: a name for the host to resolve. */
  readonly model?: string
  /** The text of the activation, for the sub-agent's system prompt or its first message. */
  readonly instructions: string
  /** What the sub-agent is to do: the arguments of the call, or a sentence that says to do what the skill says. */
  readonly prompt: string
  /** Both, as the first message of the sub-agent's conversation. */
  readonly message: string
  /** A system prompt for a sub-agent that has none of its own. */
  readonly system: string
  /**
   * The sub-agent's own. Everything that is active in the session above and the skill itself are active in it and stay
   * so: its rights are never wider. It sees the skills that the session above sees. Where that has no consent handler,
   * nobody is asked in it, and what was not agreed to before is denied.
   */
  readonly session: Session
  /** Of the call that wants the fork. */
  readonly callId: string
  /** Aborts with the call, and at the end of the session above. */
  readonly signal: AbortSignal
}

/** What a sub-agent ended with. */
export interface ForkResult {
  /** What the model above is shown. */
  readonly text: string
  /** Tokens that the sub-agent took. */
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number }
}

/** One task of one agent: what it may see, what was agreed to, which skills are active. */
export interface Session {
  readonly id: string
  readonly state: SessionState
  /**
   * Begins a model call: tells what the model is to be shown, and fixes the policy by which the calls of its answer
   * are judged. All calls of one message, those of skill tools too, are judged by the skills that were active when the
   * model wrote it, so that calls which run side by side are judged alike in every framework; what they change counts
   * from the next step on. Which skills there are to activate is asked of the catalog when a call is carried out: one
   * that a reload has lost since the step is not found, and one that it has found can be activated.
   * @param hostTools the names of the host's own tools
   * @throws {TypeError} a host tool has the name of a skill tool
   */
  beginStep(hostTools: Iterable<string>, options?: StepOptions): StepView
  /** Puts on record what the model call of the step took, for the audit's counters. Without an audit it does nothing. */
  recordUsage(usage: TokenUsage): void
  /**
   * Begins a turn: a message of the person, before the first model call that answers it. Carries out `/name args`
   * where that is a skill, and suggests or activates the skills whose triggers the message matches. What the model is
   * to be shown of it is `text`, directly behind that message. Once for each message.
   * @param message the text of the message
   * @throws the signal's reason
   */
  beginTurn(message: string, options?: TurnOptions): Promise<Turn>
  /**
   * The invocation that `beginTurn` would carry out for a message; undefined where it is none, or names no skill that a
   * person can see. Changes nothing. For frameworks that suspend: `consentFor` gives its question, before the turn begins.
   * @param id the one that `beginTurn` will be given
   */
  invocation(message: string, id: string): (Invocation & { readonly id: string }) | undefined
  /**
   * Activates a skill because a person says so: also one that no model may activate, but none that is not for persons.
   * It asks for consent like any other activation. In a fork there is no person, so it is refused.
   * @throws the signal's reason
   */
  invoke(invocation: Invocation, options?: CallOptions): Promise<Outcome>
  /**
   * The texts of those active skills whose activation the conversation does not hold any more, for the end of the
   * system prompt of the next model call; undefined where nothing is lost.
   * @param isShown whether a text stands whole in what is about to be sent, system prompt and tool results included
   */
  reminder(isShown: (text: string) => boolean): Promise<string | undefined>
  /**
   * The question that a call, or a person's invocation with an id, waits for, or undefined where it waits for none: it
   * asks for no activation, consent was given before, or the session has a handler, which `call` will ask. For
   * frameworks that suspend.
   */
  consentFor(call: ToolCall | (Invocation & { readonly id: string })): Promise<ConsentRequest | undefined>
  /**
   * Asks a function about an open question and records its answer, as strictly and for as long as a session's own
   * handler is asked. A question that has its answer is not asked again. For frameworks whose approval is a function.
   * @throws the signal's reason, where it aborts first: the question then stays open
   */
  ask(
    request: ConsentRequest,
    handler: ConsentHandler,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<void>
  /** Records the answer to an open question. An answer to no open question, or a second one, changes nothing. */
  answer(verdict: ConsentAnswer): void
  /**
   * The one point that every tool call of the model passes. A skill tool is carried out here. A tool of the host's
   * is authorised, and only then is `execute` called, with the call under the tool's real name and a copy of the
   * input that was judged. What `execute` throws is thrown on.
   *
   * A skill with `context: fork` is run by `options.fork` and never becomes active here; the outcome is what its
   * sub-agent ended with. Other calls go on beside it.
   * @throws the signal's reason
   */
  call(call: ToolCall, execute: (call: ToolCall) => unknown, options?: CallOptions): Promise<Outcome>
  /**
   * The refusal that `call` gives for a call of a host's tool, as things are; undefined where it would run. Carries
   * nothing out and puts nothing on record. For frameworks that offer tools, or ask about calls, before any is made.
   */
  refusalOf(call: ToolCall): Promise<Extract<Outcome, { readonly ok: false }> | undefined>
  /**
   * Whether a call of a host's tool needs no approval of the host's own: in the mode `preapprove`, where every active
   * skill with allowed tools lists it. For frameworks that ask about tools before they call them.
   */
  isPreapproved(call: ToolCall): Promise<boolean>
  /**
   * The real name of a tool that the model calls in another case; undefined where it has no such tool. For frameworks
   * that look tools up themselves, by their exact names.
   */
  toolName(name: string): string | undefined
  /**
   * The real path of a file that the model names by a private one, `private:/.skills/name/…`, for the host's tools; any
   * other path as it is.
   * @throws {SkillError} RESOURCE_PATH_INVALID: it leaves the skill's folder. RESOURCE_NOT_FOUND: no active skill is
   * mounted there
   */
  resolvePath(path: string): string
  /**
   * What the model is shown where an activation was denied: the text that `call` gives. Changes nothing. For frameworks
   * that write the result of a denied call themselves.
   * @param reason why, in the words of whoever denied it
   */
  deniedText(call: ToolCall, reason?: string): string
  /** The session as a JSON value, for `openSession({ saved })` here or in another process. */
  save(): SavedSession
  /** The changes since the session was opened or this was last called, for frameworks that keep the state. */
  takeChanges(): readonly SessionChange[]
  /**
   * Deactivates every skill, top first, and clears the state. Later calls are refused, also those that wait for their
   * turn; a question that is being asked is given up, and forks are stopped and waited for. A host's tool that runs
   * already runs on. Safe to repeat.
   */
  end(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
