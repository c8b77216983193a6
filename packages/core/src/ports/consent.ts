import type { Layer } from './skill.ts'

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
export interface ConsentAnswer {
  readonly requestId: string
  readonly approved: boolean
  /** Shown to the model with a refusal. */
  readonly reason?: string
}

/** Asks. Only `true`, or a verdict with `approved: true`, is a yes; a throw, a time-out or anything else is a no. */
export type ConsentHandler = (
  request: ConsentRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ConsentAnswer | Promise<boolean | ConsentAnswer>
