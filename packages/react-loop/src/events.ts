import type { ConsentRequest, ToolCall } from '@repertoire/core'
import type { FinishReason, Message, ToolMessage, Usage } from './model.ts'

/** What a run gave. */
export interface LoopResult {
  /** The model's last words: its answer, or what it said beside its last calls. */
  readonly text: string
  /** The whole conversation, every call with its result: `run([...messages, next])` goes on with it. */
  readonly messages: readonly Message[]
  /** Model calls. */
  readonly steps: number
  /** `max-steps`: the step limit was met, and the model has not seen its last results yet. */
  readonly finishReason: FinishReason | 'max-steps'
  /** Over all steps; of steps that the endpoint did not count, nothing. */
  readonly usage: Usage
}

/** Which sub-agent. */
export interface ForkPlace {
  readonly skill: string
  /** The call that wants it, or the person's message. */
  readonly callId: string
  /** The id of its session: that of the session above, and behind a `/` the call's. */
  readonly session: string
}

/** What happens in a run, as it happens. */
export type LoopEvent =
  /** A model call begins; they count from 1. */
  | { readonly type: 'step-start'; readonly step: number }
  /** A piece of what the model says. The pieces of a step give the text of its message. */
  | { readonly type: 'text-delta'; readonly text: string }
  /** The model's message is complete, and asks for this. */
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  /** `onConsent` is being asked. */
  | { readonly type: 'consent-request'; readonly request: ConsentRequest }
  /** `approve` is being asked. */
  | { readonly type: 'approval-request'; readonly call: ToolCall }
  /** A call was carried out, refused, or failed; in the order in which calls end. */
  | { readonly type: 'tool-result'; readonly result: ToolMessage }
  /** A sub-agent begins. What happens in it is not told, but for the sub-agents below it, which have sessions of their own. */
  | ({ readonly type: 'fork-start' } & ForkPlace)
  /** It has ended. `result` is its run, with its conversation; absent: it failed, or was aborted. */
  | ({ readonly type: 'fork-end'; readonly result?: LoopResult } & ForkPlace)
  | { readonly type: 'step-end'; readonly step: number; readonly finishReason: FinishReason; readonly usage?: Usage }
  | { readonly type: 'finish'; readonly result: LoopResult }
