import type { ConsentHandler, FunctionTool, Session } from '@repertoire/core'
import type { ApprovalOptions } from './approval.ts'
import type { LoopEvent, LoopResult } from './events.ts'
import type { Message, Model } from './model.ts'
import type { ForkOptions } from './sub-agent.ts'

/** How a loop is made. */
export interface ReActLoopOptions extends ApprovalOptions, ForkOptions {
  readonly model: Model
  /** The task's session. The loop never ends it: that is for whoever opened it, or for `repertoire.runTask`. */
  readonly session: Session
  /** The host's own tools. Default: none. Each judges its own input beyond that it is a JSON object. */
  readonly tools?: readonly FunctionTool[]
  /** The host's own system prompt. */
  readonly instructions?: string
  /**
   * `native` (default): the wire's own tool calls. `text`: the plain-text ReAct protocol, for models that have none.
   */
  readonly protocol?: 'native' | 'text'
  /** Model calls per run at the most. Default 20. */
  readonly maxSteps?: number
  /**
   * Asks whether a skill may be activated, where the session has no handler of its own. Whatever the calls of one
   * message ask is asked in one tick, before any of them is carried out; what a person's message asks, before the model
   * is called.
   */
  readonly onConsent?: ConsentHandler
}

export interface RunOptions {
  /** Aborts the request and the sub-agents, and is handed to the tools. */
  readonly signal?: AbortSignal
  /**
   * Is told every message that the run adds, as soon as it stands. With the messages that the run began with they are
   * the conversation, also where the run fails, and after an abort they are complete: `run` goes on with them.
   */
  readonly onMessage?: (message: Message) => void
}

/** One run, as it is carried out. */
export interface Run {
  readonly signal?: AbortSignal | undefined
  readonly onMessage?: ((message: Message) => void) | undefined
  /** Whether the model is streamed from. */
  readonly streamed: boolean
  readonly emit: (event: LoopEvent) => void
}

/** Carries runs out, see `ReActLoop`. */
export type Runner = (input: string | readonly Message[], run: Run) => Promise<LoopResult>
