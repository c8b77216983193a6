import type { ConsentRequest, ConsentAnswer, FunctionTool, Repertoire, SessionStore, ToolCall } from '@repertoire/core'
import type { AdapterSessionOptions } from '@repertoire/core/adapter'
import type { Dialect } from './endpoint/dialect.ts'
import type { ProtocolName } from './endpoint/protocols.ts'
import type { WireRequest } from './endpoint/wire.ts'

/**
 * What an adapter can do beyond the minimum. Each capability is declared `true`, as a workaround, or absent. One that
 * is not declared fails the suite, and so does one that is declared absent but works.
 */
export interface Capabilities {
  /** The framework can pause for a person's consent and continue with the answer later. */
  readonly suspend: Capability
  /** A conversation can be saved and continued by a fresh process. */
  readonly resume: Capability
  /** A run can be aborted by a signal. */
  readonly abort: Capability
  /** The model may call several tools in one message, and they run side by side. */
  readonly parallelCalls: Capability
  /** Tools that the active skills do not allow are hidden from the model. */
  readonly hiding: Capability
  /**
   * The session goes on after a run: what is active then is active for the next message, until `end`. Absent: each
   * session ends with its run, and the next message begins a task without active skills.
   */
  readonly continuation: Capability
  /** A conversation's messages can be removed while its task continues, as by a compaction. */
  readonly compaction: Capability
  /** The framework can ask a person to approve calls of the host's own tools before they run. */
  readonly approval: Capability
  /** An answer can be required to follow a schema. */
  readonly output: Capability
  /** An agent can hand the conversation over to another agent, which goes on in the same task. */
  readonly handoff: Capability
}

/**
 * `true`: the framework does it. `workaround`: the adapter does it in the framework's place, or mends what the
 * framework does, and this is how; the checks are the same. `absent`: it is missing, and this is why.
 */
type Capability = true | { readonly workaround: string } | { readonly absent: string }

/** What an adapter can do in a variant. */
export function capabilitiesOf({ capabilities }: AdapterDriver, variant: Variant): Partial<Capabilities> {
  return { ...capabilities, ...variant.capabilities }
}

/** Whether a capability is there in a variant. One that is not declared is not. */
export function isPresentIn(driver: AdapterDriver, variant: Variant, capability: keyof Capabilities): boolean {
  const declared = capabilitiesOf(driver, variant)[capability]
  return declared !== undefined && absentReason(declared) === undefined
}

/** Why a capability is missing; undefined if it is there, or is not declared. */
export function absentReason(declared: Capability | undefined): string | undefined {
  return typeof declared === 'object' && 'absent' in declared ? declared.absent : undefined
}

/** One way of using the adapter, such as streamed and not streamed. Every check runs in every variant. */
export interface Variant {
  readonly name: string
  /**
   * Which vendor's protocol this variant speaks with the model. Default: `openai`, chat completions. The other protocol
   * of OpenAI is `openai-responses`.
   */
  readonly protocol?: ProtocolName
  /** How this variant writes tools and calls inside chat-completions messages. Default: as native tool calls. */
  readonly dialect?: Dialect
  /**
   * Imports the optional packages of this variant, such as a vendor's client. Where one of them is not installed, a run
   * leaves the variant out and its report says so.
   */
  readonly load?: () => Promise<unknown>
  /** What is otherwise in this variant than the driver's `capabilities` say. */
  readonly capabilities?: Partial<Capabilities>
  /** What is known to differ in this variant, as in the driver's `known`. */
  readonly known?: Readonly<Record<string, string>>
}

/** An adapter under test. About ten lines for most frameworks. */
export interface AdapterDriver {
  /** The heading of its column in a report. */
  readonly name: string
  readonly variants: readonly [Variant, ...Variant[]]
  readonly capabilities: Capabilities
  /**
   * What is known to differ in every variant, each with the reason: a check (`'gate-rules'`), an aspect of a scenario
   * (`'gate-rules/results'`), or an aspect of all, with `*` in the place of the check. Checks still run, and one that
   * passes is an error.
   */
  readonly known?: Readonly<Record<string, string>>
  /** How the framework changes what it sends. Absent: it sends tools under their own names, and nothing of its own. */
  readonly wire?: WireForm
  /**
   * Returns the tool that the model calls, without arguments, to hand over to one of `TaskSetup.handoffs` or to `main`.
   * Only with the capability `handoff`.
   */
  handoffTool?(agent: string): string
  /** Sets an agent up; nothing is sent to the model before the first `send`. */
  start(task: TaskSetup): Promise<Conversation>
}

/** How a framework writes a conversation that checks know in another form. */
export interface WireForm {
  /** Returns the name under which the framework sends a tool: `mcp__host__Read` for `Read`. */
  readonly toWire?: (name: string) => string
  /** The opposite of `toWire`. */
  readonly fromWire?: (sent: string) => string
  /** Returns a request without what the framework itself adds to it, under the names that checks know. */
  readonly read?: (request: WireRequest) => WireRequest
}

/** A model endpoint for the vendor's client package. */
export interface TaskEndpoint {
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
}

/** Another agent of the host's. Its tools and its model are those of the task. */
export interface TaskAgent {
  readonly instructions: string
}

/** A person who approves calls of the host's own tools, independent of what skills allow. */
export interface TaskApproval {
  /** The names of the tools that need approval for every call. */
  readonly tools: readonly string[]
  /**
   * Asks the person. For a framework with a handler, pass this as the handler; for one that suspends, the driver calls
   * it and continues with the answer, within one `send` or `answer`. `reason`: why a call is denied, for the model.
   */
  ask(call: Pick<ToolCall, 'tool' | 'input'>): Promise<{ readonly approved: boolean; readonly reason?: string }>
}

/** Everything that an adapter needs for one agent. */
export interface TaskSetup {
  readonly variant: string
  /**
   * The model endpoint on loopback, as the vendor's own client package takes it. What `baseURL` ends in depends on the
   * variant's protocol:
   *
   * - `openai`: `/v1`; the client appends `/chat/completions`.
   * - `openai-responses`: `/v1`; the client appends `/responses`.
   * - `anthropic`: nothing, since the client requests `/v1/messages`. A client that requests `/messages` needs `/v1`.
   * - `gemini`: nothing, since the client requests `/v1/models/…` or `/v1beta/models/…`. A client that requests
   *   `/models/…` needs `/v1beta`.
   *
   * `model` is a name of the vendor's kind, since some clients read from it what a model can do.
   */
  readonly endpoint: TaskEndpoint
  readonly repertoire: Repertoire
  /** Options to pass unchanged to `openAdapterSession`, or to the adapter's function that opens sessions. */
  readonly session: AdapterSessionOptions
  /** The store of the session, for agents that own theirs. Absent: one in memory. */
  readonly sessions?: SessionStore
  /** The host's own system prompt. */
  readonly instructions: string
  /** The host's own tools. */
  readonly tools: readonly FunctionTool[]
  /** The maximum number of model calls per `send`. */
  readonly maxSteps: number
  /**
   * The JSON schema that answers must follow; a turn's text is then the JSON of the value that the framework returns.
   * Only with the capability `output`. Absent: answers are texts.
   */
  readonly output?: Readonly<Record<string, unknown>> | undefined
  /**
   * The models that a skill's `model` may name, by name. Each is a separate endpoint that speaks the variant's
   * protocol. Other names are unknown. Absent: there are none.
   */
  readonly models?: ReadonlyMap<string, TaskEndpoint>
  /** The host's sub-agents, by the kind that a skill's `agent` names; `default`: for skills without. Absent: none. */
  readonly subagents?: Readonly<Record<string, TaskAgent>>
  /**
   * Agents to which the conversation can be handed over, by name. Every agent can hand over to every other one; the
   * first is named `main`. Only with the capability `handoff`. Absent: there is one agent.
   */
  readonly handoffs?: Readonly<Record<string, TaskAgent>>
  /** Which calls need approval. Only with the capability `approval`. Absent: none. */
  readonly approval?: TaskApproval
  /** The result of `save` of an earlier conversation, which this one continues. */
  readonly saved?: unknown
}

/** One conversation with the agent. */
export interface Conversation {
  /**
   * Sends a user's message and resolves when the agent has answered, or waits for consent. Rejects when the run fails.
   * An open request is denied, unless `answers` has its answer.
   */
  send(
    text: string,
    options?: { readonly signal?: AbortSignal; readonly answers?: readonly ConsentAnswer[] },
  ): Promise<Turn>
  /**
   * Answers every open request, and continues. Rejects when the run fails. Only with the capability `suspend`.
   */
  answer(answers: readonly ConsentAnswer[], options?: { readonly signal?: AbortSignal }): Promise<Turn>
  /** Returns the conversation as a JSON value, for `TaskSetup.saved`. Only with the capability `resume`. */
  save(): Promise<unknown>
  /**
   * Removes every message from the conversation, like a compaction that keeps none: the next `send` starts with an
   * empty conversation, in the same task. Only with the capability `compaction`.
   */
  forget?(): Promise<void>
  /**
   * Returns the names of the adapter's active skills, the top of the stack last. Without the capability `continuation`
   * there are none between runs; what a run activated is then read from the audit.
   */
  active(): Promise<readonly string[]>
  /** Ends the task: every skill is deactivated, and the session's state is gone. Does nothing once it has ended. */
  end(): Promise<void>
}

/** How a `send` or an `answer` ended: with the agent's text, or with open consent requests. */
export type Turn =
  | { readonly status: 'done'; readonly text: string }
  | { readonly status: 'asking'; readonly requests: readonly ConsentRequest[] }
