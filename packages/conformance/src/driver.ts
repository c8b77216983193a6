import type { ConsentRequest, ConsentAnswer, FunctionTool, Repertoire, SessionOptions, ToolCall } from '@repertoire/core' // prettier-ignore
import type { Dialect } from './endpoint/dialect.ts'
import type { ProtocolName } from './endpoint/protocols.ts'

/**
 * What an adapter can do beyond the least: each is declared `true`, or absent with the reason. What is not
 * declared fails the suite, and so does what is declared absent and present after all.
 */
export interface Capabilities {
  /** The framework can stop for a person's consent and go on with the answer later. */
  readonly suspend: Capability
  /** A conversation can be saved and continued by a fresh process. */
  readonly resume: Capability
  /** A run can be aborted by a signal. */
  readonly abort: Capability
  /** The model may ask for several tools in one message. */
  readonly parallelCalls: Capability
  /** Tools that the active skills do not allow are kept from the model's sight. */
  readonly hiding: Capability
  /** A conversation's messages can be removed while its task continues, as by a compaction. */
  readonly compaction: Capability
  /** The framework can ask a person to approve calls of the host's own tools before they run. */
  readonly approval: Capability
}

/** `true`, or why not. */
type Capability = true | { readonly absent: string }

/** One way of using the adapter, such as streamed and not streamed. Every check runs in every variant. */
export interface Variant {
  readonly name: string
  /** Which vendor's protocol this variant speaks with the model. Default: `openai`, chat completions. */
  readonly protocol?: ProtocolName
  /** How this variant writes tools and calls inside OpenAI's messages. Default: as native tool calls. */
  readonly dialect?: Dialect
  /**
   * Check ids that are known to fail in this variant alone, each with the reason. They still run, in the other variants
   * they have to pass, and one that passes in this one is an error.
   */
  readonly known?: Readonly<Record<string, string>>
}

/** An adapter under test. About ten lines for most frameworks. */
export interface AdapterDriver {
  /** As the report's column names it. */
  readonly name: string
  readonly variants: readonly [Variant, ...Variant[]]
  readonly capabilities: Capabilities
  /**
   * Check ids that are known to fail in one variant at least, each with the reason. They still run, and one that passes
   * in all of them is an error.
   */
  readonly known?: Readonly<Record<string, string>>
  /** Sets an agent up; nothing is sent to the model before the first `send`. */
  start(task: TaskSetup): Promise<Conversation>
}

/** A model endpoint for the vendor's client package. */
export interface TaskEndpoint {
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
}

/** An agent of the host's that runs skills with `context: fork`. Its tools and its model are those of the task. */
export interface TaskAgent {
  readonly instructions: string
}

/** A person who approves calls of the host's own tools, independent of what skills allow. */
export interface TaskApproval {
  /** The names of the tools whose every call needs it. */
  readonly tools: readonly string[]
  /**
   * Asks the person. For a framework with a handler, pass this as the handler; for one that suspends, the driver calls
   * it and continues with the answer, within one `send` or `answer`.
   */
  ask(call: Pick<ToolCall, 'tool' | 'input'>): Promise<ApprovalAnswer>
}

/** The person's decision. */
export interface ApprovalAnswer {
  readonly approved: boolean
  /** Why not, in words for the model. */
  readonly reason?: string
}

/** Everything that an adapter needs for one agent. */
export interface TaskSetup {
  readonly variant: string
  /**
   * The model endpoint on loopback, as the vendor's own client package takes it. What `baseURL` ends in depends on the
   * variant's protocol:
   *
   * - `openai`: `/v1`, to which the client appends `/chat/completions`.
   * - `anthropic`: nothing, for the client asks for `/v1/messages`. A client that asks for `/messages` needs `/v1`.
   * - `gemini`: nothing, for the client asks for `/v1/models/…` or `/v1beta/models/…`. A client that asks for
   *   `/models/…` needs `/v1beta`.
   *
   * `model` is a name of the vendor's kind, since some clients read from it what a model can do.
   */
  readonly endpoint: TaskEndpoint
  readonly repertoire: Repertoire
  /** To be handed to `openSession`, or to whatever opens sessions in the adapter, as it is. */
  readonly session: SessionOptions
  /** The host's own system prompt. */
  readonly instructions: string
  /** The host's own tools. */
  readonly tools: readonly FunctionTool[]
  /** Model calls per `send` at the most. */
  readonly maxSteps: number
  /**
   * The models that a skill's `model` may name, by that name: each is an endpoint of its own that speaks the variant's
   * protocol. No other name is found. Absent: there are none.
   */
  readonly models?: ReadonlyMap<string, TaskEndpoint>
  /** The agents that a skill's `agent` may name, by their kind. Absent: the host has none. */
  readonly agents?: Readonly<Record<string, TaskAgent>>
  /** Absent: no call needs approval. Only with the capability `approval`. */
  readonly approval?: TaskApproval
  /** The result of `save` of an earlier conversation, which this one continues. */
  readonly saved?: unknown
}

/** One conversation with the agent. */
export interface Conversation {
  /** Sends a user's message and resolves when the agent has answered, or waits for consent. Rejects when the run fails. */
  send(text: string, options?: { readonly signal?: AbortSignal }): Promise<Turn>
  /** Answers every open request, and continues. Only with the capability `suspend`. */
  answer(verdicts: readonly ConsentAnswer[]): Promise<Turn>
  /** The conversation as a JSON value, for `TaskSetup.saved`. Only with the capability `resume`. */
  save(): Promise<unknown>
  /**
   * Takes every message out of the conversation, as a compaction does that keeps none: the next `send` begins an empty
   * one, in the same task. Only with the capability `compaction`.
   */
  forget?(): Promise<void>
  /** The names of the adapter's active skills, the top of the stack last. */
  active(): Promise<readonly string[]>
  /** Ends the task: every skill is deactivated and the session's state is gone. */
  end(): Promise<void>
}

/** How a `send` or an `answer` came to rest. */
export type Turn =
  | { readonly status: 'done'; readonly text: string }
  | { readonly status: 'asking'; readonly requests: readonly ConsentRequest[] }
