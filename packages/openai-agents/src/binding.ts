import type { ForkRunner, ToolDefinition } from '@repertoire/core'
import {
  type AdapterSession,
  type CallPreview,
  DEFAULT_SUB_AGENT_STEPS,
  type ForkOptions as CoreForkOptions,
  forkOptions,
  type InvocationCall,
  type Step,
} from '@repertoire/core/adapter'
import {
  anyText,
  either,
  foreign,
  listOf,
  number,
  type OptionTable,
  tableOf,
  withDefault,
  withMethods,
} from '@repertoire/core/options'
import type { Agent, AgentInputItem, Model, ModelSettings, Runner, Tool } from '@openai/agents'

/** Any agent: what it returns and its context are in the host's own types. */
export type AnyAgent = Agent<any, any>

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<string | Model>

/** A session together with the agents that run in it. */
export interface Binding extends ForkOptions {
  /** A run that waited may go on in a session that was opened again. */
  session: AdapterSession
  /** Runs sub-agents, and finds the models of names. */
  readonly runner: Runner
  /** No person can be asked: a sub-agent of a skill. */
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
  readonly readied: Map<string, CallPreview>
  /** The calls whose results are the session's: they end no run. */
  readonly unfinished: Set<string>
  /** The model of the last model call; undefined: none was made in this process. */
  model?: string | Model
  /** The step that each agent is in, since agents work side by side, and in each other. */
  steps: WeakMap<AnyAgent, Promise<SkillStep>>
  /** A person's `/name` that waits for consent. The next model call is answered with it, and no model is called. */
  asking?: InvocationCall | undefined
  /** What a run with a `/name` that waited began with. The SDK counts it as sent where the server keeps the history. */
  unsent?: readonly AgentInputItem[] | undefined
}

export function bind(parts: Pick<Binding, 'session' | 'runner' | 'unattended' | 'fork' | keyof ForkOptions>): Binding {
  return {
    ...parts,
    steps: new WeakMap(),
    agents: new WeakMap(),
    skillTools: new Map(),
    gated: new Set(),
    readied: new Map(),
    unfinished: new Set(),
  }
}

/** Begins a step of an agent, and remembers the skill tools that it shows. */
export function beginStep(
  binding: Binding,
  agent: AnyAgent,
  tools: readonly { readonly name: string }[],
): Promise<SkillStep> {
  const begin = async (): Promise<SkillStep> => {
    const step = await binding.session.step<string | Model>({
      tools: tools.map(({ name }) => name),
      resolveModel: binding.resolveModel,
      nameOf: (model = chosenModel(binding, agent)) => nameOf(model),
    })
    for (const tool of step.tools) binding.skillTools.set(tool.name, tool)
    return step
  }
  const begun = begin()
  binding.steps.set(agent, begun)
  return begun
}

/** A model's name, for the audit. Not all models tell it. */
function nameOf(model: string | Model): string | undefined {
  const { _model: name } = typeof model === 'object' ? (model as { readonly _model?: unknown }) : { _model: model }
  return typeof name === 'string' && name !== '' ? name : undefined
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

/** Returns the model that the SDK would choose for an agent. The empty name means the provider's own choice. */
export function chosenModel({ runner }: Binding, { model }: AnyAgent): string | Model {
  return model || runner.config.model || ''
}
