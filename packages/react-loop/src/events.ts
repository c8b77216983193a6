import type { ConsentRequest, ToolCall } from '@repertoire/core'
import type { FinishReason, Message, ToolMessage, Usage } from './model.ts'

/** The result of a run. */
export interface LoopResult {
  /** The text of the model's last message: its answer, or the text next to its last calls. */
  readonly text: string
  /**
   * The whole conversation, every call with its result: `run([...messages, next])` continues it. Where the run waits
   * for consent, the last calls have none yet, and `run(messages, { answers })` continues it.
   */
  readonly messages: readonly Message[]
  /** The number of model calls. */
  readonly steps: number
  /**
   * `max-steps`: the step limit was reached, and the model has not seen the last results. `consent`: a person has to
   * answer `consentRequests`; the last message of the conversation is carried out by the run that is given the answers.
   */
  readonly finishReason: FinishReason | 'max-steps' | 'consent'
  /** What the session, which has no `consent` handler, asks. Only with the reason `consent`. */
  readonly consentRequests?: readonly ConsentRequest[]
  /** The sum over all steps; steps without a count from the endpoint are not included. */
  readonly usage: Usage
}

/** Identifies a sub-agent. */
export interface ForkPlace {
  readonly skill: string
  /** The call that started it, or the person's message. */
  readonly callId: string
  /** The id of its session: that of the parent session, a `/`, and the call's id. */
  readonly session: string
}

/** What happens in a run. */
export type LoopEvent =
  /** A model call begins; they count from 1. */
  | { readonly type: 'step-start'; readonly step: number }
  /** A piece of the model's text. The pieces of a step together are the text of its message. */
  | { readonly type: 'text-delta'; readonly text: string }
  /** The model's message is complete, and contains this call. */
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** The run ends, and waits for an answer to this. */
  | { readonly type: 'consent-request'; readonly request: ConsentRequest }
  /** `approve` is being asked. */
  | { readonly type: 'approval-request'; readonly call: ToolCall }
  /** A call has run, was refused, or has failed; in the order of their ends. */
  | { readonly type: 'tool-result'; readonly result: ToolMessage }
  /** A sub-agent starts. Its events are not emitted, except the start and end of its own sub-agents. */
  | ({ readonly type: 'fork-start' } & ForkPlace)
  /** The sub-agent has ended. `result` is its result, with its conversation; absent: it failed, or was aborted. */
  | ({ readonly type: 'fork-end'; readonly result?: LoopResult } & ForkPlace)
  | { readonly type: 'step-end'; readonly step: number; readonly finishReason: FinishReason; readonly usage?: Usage }
  | { readonly type: 'finish'; readonly result: LoopResult }
