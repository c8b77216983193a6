import type { ConsentAnswer, ForkRunner, FunctionTool, Session, ToolCall } from '@repertoire/core'
import type { AdapterSession } from '@repertoire/core/adapter'
import {
  anyText,
  callable,
  foreign,
  listOf,
  type OptionTable,
  required,
  sessionKind,
  signal,
} from '@repertoire/core/options'
import type { LoopEvent, LoopResult } from './events.ts'
import type { Message, Model } from './model.ts'
import { FORK_OPTIONS, type ForkOptions, MAX_STEPS, MODEL, PROTOCOL, TOOLS } from './sub-agent.ts'

/** The decision on a call. Only `true`, or `approved: true`, approves it. `reason`: why not, in words for the model. */
export type Approval = boolean | { readonly approved: boolean; readonly reason?: string }

/**
 * Decides whether a call may run, for example by asking a person. It is called for one call at a time, and never while
 * the session asks for consent. If it throws, or takes longer than the session's `consent.timeout`, the call is denied.
 * @param call with the tool's real name and a copy of the authorised input
 */
export type ApprovalHandler = (
  call: ToolCall,
  options: { readonly signal?: AbortSignal },
) => Approval | Promise<Approval>

/** A host's approval of calls of its own tools, in addition to what skills allow. */
export interface ApprovalOptions {
  /**
   * Called only for calls of the host's tools that skills and policy allow, before they run. In the session's mode
   * `preapprove`, calls that the active skills list run without it. A sub-agent cannot ask: a call that needs
   * approval is denied there. Default: no call needs approval.
   */
  readonly approve?: ApprovalHandler | undefined
  /** Which calls need approval: every call unless this returns `false`. If it throws, the call fails. Default: all. */
  readonly needsApproval?: ((call: ToolCall) => boolean | Promise<boolean>) | undefined
}

/** Options of `createReActLoop`. */
export interface ReActLoopOptions extends ApprovalOptions, ForkOptions {
  readonly model: Model
  /** The task's session. The loop never ends it: its owner or `repertoire.runTask` does. */
  readonly session: Session
  /** The host's own tools. Default: none. Each validates its input itself, which is always a JSON object. */
  readonly tools?: readonly FunctionTool[] | undefined
  /** The host's own system prompt. */
  readonly instructions?: string | undefined
  /**
   * `native`: the tool calls of the API. `text`: the plain-text ReAct protocol, for models without tool calls. Default
   * `native`.
   */
  readonly protocol?: 'native' | 'text' | undefined
  /** The maximum number of model calls per run. Default 20. */
  readonly maxSteps?: number | undefined
}

/** The options of `createReActLoop`. */
export const LOOP_OPTIONS: OptionTable<ReActLoopOptions> = {
  model: required(MODEL),
  session: required(sessionKind),
  tools: TOOLS,
  instructions: anyText,
  protocol: PROTOCOL,
  maxSteps: MAX_STEPS,
  approve: callable,
  needsApproval: callable,
  ...FORK_OPTIONS,
}

export interface RunOptions {
  /** Aborts the request and the sub-agents, and is passed to the tools. */
  readonly signal?: AbortSignal | undefined
  /** Answers to the `consentRequests` of the last run, which waits for them. */
  readonly answers?: readonly ConsentAnswer[] | undefined
  /**
   * Called with every message that the run adds. Together with the messages at its beginning they are the conversation,
   * even if the run fails; after an abort they are complete, and `run` can continue with them.
   */
  readonly onMessage?: ((message: Message) => void) | undefined
}

/** The options of `run` and `stream`. */
export const RUN_OPTIONS: OptionTable<RunOptions> = {
  signal,
  answers: listOf(
    foreign('an answer { requestId, approved }', (answer) => {
      const { requestId, approved } = (answer ?? {}) as Partial<ConsentAnswer>
      return typeof requestId === 'string' && typeof approved === 'boolean'
    }),
  ),
  onMessage: callable,
}

/** A loop of reason, act and observe. */
export interface ReActLoop<Options extends RunOptions = RunOptions> {
  /**
   * Runs until the model has answered, or until a person has to: `finishReason` is `consent` then. If the messages end
   * with a person's message, a turn of the session begins with it: `/name args` activates that skill. If they end with
   * calls without results, these run first, so that a conversation which was stored while it waited for consent
   * continues where it stopped.
   * @param input a user's message, or a whole conversation
   * @throws the endpoint's errors, unchanged; the signal's reason; {TypeError} another run is active in this loop,
   * there are no messages, or an earlier call has no result
   */
  run(input: string | readonly Message[], options?: Options): Promise<LoopResult>
  /**
   * As `run`, but yields the events of the run, `finish` last. The run starts with the first read; to stop reading
   * aborts it.
   */
  stream(input: string | readonly Message[], options?: Options): AsyncGenerator<LoopEvent, void, undefined>
}

/** Options of one run. */
export interface Run {
  readonly signal?: AbortSignal | undefined
  readonly answers?: readonly ConsentAnswer[] | undefined
  readonly onMessage?: ((message: Message) => void) | undefined
  /** Whether the model's answers are streamed. */
  readonly streamed: boolean
  readonly emit: (event: LoopEvent) => void
}

/** What the steps of one run share. */
export interface RunContext extends ApprovalOptions, Pick<Run, 'signal' | 'emit'> {
  readonly session: AdapterSession
  readonly tools: ReadonlyMap<string, FunctionTool>
  readonly fork: ForkRunner
  /** Whether a person can be asked; false in a sub-agent. */
  readonly canAsk: boolean
}

/** Runs a loop, see `ReActLoop`. */
export type Runner = (input: string | readonly Message[], run: Run) => Promise<LoopResult>
