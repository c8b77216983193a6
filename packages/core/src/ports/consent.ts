import type { GateMode } from '@repertoire/gate/internal'
import type { Layer } from '@repertoire/skill-md/internal'

/**
 * A request for consent: to an activation, or to a call that the host's policy asks about (`policy.ask`). `skill`, or
 * `tool`, tells which. A plain value: it can be stored, sent and answered in another process.
 */
export type ConsentRequest = SkillConsentRequest | CallConsentRequest

/** A request for consent to a call of a tool that the host's policy asks about. It has none of a skill's properties. */
export interface CallConsentRequest extends Readonly<
  Partial<
    Record<
      Exclude<keyof SkillConsentRequest, 'id' | 'callId' | 'session' | 'tool' | 'input' | 'rule' | 'text'>,
      undefined
    >
  >
> {
  /** Derived from the session, the call and its input: any other request has another id. */
  readonly id: string
  readonly callId: string
  readonly session: string
  /** The tool's real name. */
  readonly tool: string
  /** What the tool would be called with: JSON. */
  readonly input: unknown
  /** The rule of `policy.ask`, as it is written. */
  readonly rule: string
  /** The request as text for a person, with invisible characters made visible; of a long input the beginning. */
  readonly text: string
}

/** A request for consent to an activation. */
export interface SkillConsentRequest {
  /** Derived from the session, the call, its input and the folder's digest: any other request has another id. */
  readonly id: string
  readonly callId: string
  readonly session: string
  readonly skill: string
  readonly tool?: undefined
  readonly input?: undefined
  readonly rule?: undefined
  /** The arguments that the model passes to the skill, if any. */
  readonly args?: string
  readonly description: string
  readonly layer: Layer
  readonly source: string
  readonly location: string
  /** SHA-256 of every file in the folder, including hidden ones, hex; see `digestFolder`. */
  readonly digest: string
  /**
   * `allowed-tools` as rules, or what the host's `admit` gives a skill without, in the names of the host's tools;
   * absent: the skill restricts nothing.
   */
  readonly allowedTools?: readonly string[]
  /** How the rules are applied. */
  readonly mode: GateMode
  /** What a yes means for tools in this mode, as a sentence for a person. */
  readonly meaning: string
  /** Whether the host gives `allowedTools` to a skill that names no tools. */
  readonly assumedTools: boolean
  /** `disallowed-tools` as rules, in the names of the host's tools; absent: the skill forbids nothing. */
  readonly disallowedTools?: readonly string[]
  /**
   * What a person should know of its rules, each as the end of a sentence: which match no tool of the host's, which
   * hand out all that a program can do, such as `Bash(make:*)`, which the host leaves out, and which permit nothing.
   */
  readonly warnings: readonly string[]
  readonly scripts: readonly string[]
  /** What a call of the skill does at once, which the skill itself does not outlast. Absent: it is activated. */
  readonly execution?: ConsentExecution
  /** What runs them. Absent: the host has no runner, or there is nothing that it would run. */
  readonly runner?: ConsentRunner
  /** The skill's commands: those that run before the activation, then those that run after the deactivation. */
  readonly hooks: readonly string[]
  /** Tools that the skill brings, each as `module:Export`. */
  readonly toolsets: readonly string[]
  /**
   * The request as text for a person, with invisible characters made visible. It also names the files whose names
   * contain such characters. The other properties contain names unchanged.
   */
  readonly text: string
}

/** What a call of a skill does at once, as a request for consent shows it. */
export interface ConsentExecution {
  /** `fork`: a sub-agent does what the skill says, and the model is shown its result. */
  readonly type: 'composite' | 'script' | 'template' | 'fork'
  /** Of a script: the language behind its fence. Absent: `sh`. */
  readonly language?: string
  /** Of a plan: the tools of its steps, each once, as they are written. */
  readonly tools?: readonly string[]
  /** Of a fork: the kind of agent and the model that the skill asks for. Absent: the host's own. */
  readonly agent?: string
  readonly model?: string
}

/** What runs a skill's scripts, as a request for consent shows it. */
export interface ConsentRunner {
  readonly name: string
  /** What stands between a script and the host: `bubblewrap`, `virtual shell`, `none`. */
  readonly isolation: string
  /** Whether a script is kept apart. False: it has all rights of the program that runs it, whatever the rules. */
  readonly isolated: boolean
  /** Whether scripts may use the network. */
  readonly network: boolean
  /** What the isolation does not hold, or what scripts cannot do in it, for people. */
  readonly notes: readonly string[]
}

/** The decision about a request. */
export interface ConsentDecision {
  readonly approved: boolean
  /** Shown to the model with a refusal. */
  readonly reason?: string
}

/** The answer to one request. Only `approved: true` with the id of this request grants it. */
export interface ConsentAnswer extends ConsentDecision {
  readonly requestId: string
}

/**
 * Answers a request. Only `true`, or an answer with `approved: true`, grants it; an error, a time-out or any other
 * value denies it.
 */
export type ConsentHandler = (
  request: ConsentRequest,
  options: { readonly signal: AbortSignal },
) => boolean | ConsentAnswer | Promise<boolean | ConsentAnswer>
