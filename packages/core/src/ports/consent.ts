import type { Layer } from './skill.ts'

/** Asks for consent to an activation. A plain value: it can be stored, sent and answered in another process. */
export interface ConsentRequest {
  /** Made of the session, the call, its input and the folder's digest: a request for anything else has another id. */
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
  /** The request as text for a person, control characters made visible. */
  readonly text: string
}

/** What was decided about a request. */
export interface ConsentDecision {
  readonly approved: boolean
  /** Shown to the model with a refusal. */
  readonly reason?: string
}

/** The answer to one request. Anything but `approved: true` with the id of this very request denies it. */
export interface ConsentAnswer extends ConsentDecision {
  readonly requestId: string
}

/**
 * Answers a request. Only `true`, or an answer with `approved: true`, grants it; a throw, a time-out or anything else
 * denies it.
 */
export type ConsentHandler = (
  request: ConsentRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ConsentAnswer | Promise<boolean | ConsentAnswer>
