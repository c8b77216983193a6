import type { ForkRunner, StepView, ToolDefinition } from '@repertoire/core'
import { type AdapterSession, type CallQuestions, DEFAULT_SUB_AGENT_STEPS, type ForkOptions as CoreForkOptions, forkOptions, type InvocationCall } from '@repertoire/core/adapter' // prettier-ignore
import { anyText, either, foreign, listOf, number, type OptionTable, tableOf, withDefault, withMethods } from '@repertoire/core/options' // prettier-ignore
import type { Agent, Model, ModelSettings, Runner, Tool } from '@openai/agents'

/** Any agent: what it returns and its context are in the host's own types. */
export type AnyAgent = Agent<any, any>

/** A session together with the agents that run in it. */
export interface Binding extends ForkOptions {
  /** A run that waited may go on in a session that was opened again. */
  session: AdapterSession
  /** Runs sub-agents, and finds the models of names. */
  readonly runner: Runner
  /** Nobody can be asked: a sub-agent of a skill. */
  readonly unattended: boolean
  /** Runs the sub-agents of skills. `context` is the host's, for its tools. */
  readonly fork: (binding: Binding, caller: AnyAgent, context: unknown) => ForkRunner
  /** The agents behind the gate, by the host's own. */
  readonly agents: WeakMap<AnyAgent, AnyAgent>
  /** The skill tools that were shown so far, as they were shown last. */
  readonly skillTools: Map<string, ToolDefinition>
  /** The names of the host's tools behind the gate. The SDK adds others that a search finds: those are not used. */
  readonly gated: Set<string>
  /** What is known of calls before they are carried out. */
  readonly readied: Map<string, CallQuestions>
  /** The calls whose results are the session's: they end no run. */
  readonly unfinished: Set<string>
  /** The model of the last model call; undefined: none was made in this process. */
  model?: string | Model
  /** Whether a step has begun in this process. */
  hasBegun?: boolean
  /** A person's `/name` that waits for consent. The next model call is answered with it, and no model is called. */
  asking?: InvocationCall | undefined
}

export function bind(parts: Pick<Binding, 'session' | 'runner' | 'unattended' | 'fork' | keyof ForkOptions>): Binding {
  return {
    ...parts,
    agents: new WeakMap(),
    skillTools: new Map(),
    gated: new Set(),
    readied: new Map(),
    unfinished: new Set(),
  }
}

/** Begins a step of the session, and remembers the skill tools that it shows. */
export function beginStep(binding: Binding, tools: readonly { readonly name: string }[], model?: string): StepView {
  const view = binding.session.beginStep(
    tools.map(({ name }) => name),
    { model },
  )
  for (const tool of view.tools) binding.skillTools.set(tool.name, tool)
  binding.hasBegun = true
  return view
}

/** An agent that runs skills with `context: fork`. What is missing is as in the calling agent. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly instructions?: string
  readonly tools?: readonly Tool<any>[]
  /** A model that a skill names, and that is found, takes precedence. */
  readonly model?: string | Model
  readonly modelSettings?: ModelSettings
  /** The maximum number of model calls. Default 20. An agent that needs more has failed. */
  readonly maxTurns?: number
}

/** How skills with `context: fork` run. The runner's model provider finds models by their names. */
export type ForkOptions = CoreForkOptions<SubAgent, string | Model>

export const FORK_OPTIONS: OptionTable<ForkOptions> = forkOptions(
  tableOf<SubAgent>({
    instructions: anyText,
    tools: listOf(foreign('a tool'), 'a list of tools'),
    model: either(anyText, withMethods('a model, or the name of one', 'getResponse')),
    modelSettings: foreign('model settings'),
    maxTurns: withDefault(DEFAULT_SUB_AGENT_STEPS, number('model calls', { from: 1, isWhole: true })),
  }),
)

/** Returns the model that the SDK would choose for an agent. The empty name stands for the provider's own choice. */
export function chosenModel({ runner }: Binding, { model }: AnyAgent): string | Model {
  return model || runner.config.model || ''
}
