import type { ConsentDecision, ForkRunner, ToolDefinition } from '@repertoire/core'
import {
  type AdapterSession,
  type CallPreview,
  DEFAULT_SUB_AGENT_STEPS,
  type ForkOptions as CoreForkOptions,
  forkOptions,
  type InvocationCall,
  type Step,
} from '@repertoire/core/adapter'
import { anyText, either, foreign, number, type OptionTable, tableOf, withDefault } from '@repertoire/core/options'
import type { AgentExecutionOptions, ToolsInput } from '@mastra/core/agent'
import { MASTRA_THREAD_ID_KEY, RequestContext } from '@mastra/core/request-context'
import type { MastraModelConfig } from '@mastra/core/llm'

/** A model of Mastra's, as an agent's `model` takes it. */
export type AnyModel = Exclude<MastraModelConfig, string> | string

/** A model as Mastra calls it. Both ways of calling it return a stream. */
export interface Model {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  readonly doGenerate: unknown
  readonly doStream: unknown
}

/** Options of a run of Mastra's, whatever it returns. */
export type RunOptions = AgentExecutionOptions<any>

/** A step of the session. Its model is the one that a skill asks for. */
export type SkillStep = Step<AnyModel>

/** A session together with the run that works in it. */
export interface Binding {
  readonly session: AdapterSession
  /** No person can be asked: a sub-agent of a skill. */
  readonly unattended: boolean
  readonly context: RunContext
  /** Runs the sub-agents of skills. */
  readonly fork: ForkRunner
  /** The skill tools that were shown so far, as they were shown last. */
  readonly skillTools: Map<string, ToolDefinition>
  /** The ids of calls, also of agents that work in the session at the same time. A decision is about one of them. */
  readonly callIds: Set<string>
  /** What the calls of a message ask, before any of them is carried out. */
  readonly readied: Map<string, CallPreview>
  /** The parts of a stream that say what waits beside the call that a run goes on with. Mastra leaves them out. */
  readonly beside: object[]
  /**
   * The call that a run goes on with, and what a person has decided if it waited for that. A decision is kept here,
   * since models can write what Mastra passes to tools.
   */
  readonly resumed?: { readonly toolCallId: string; readonly decision?: ConsentDecision | undefined } | undefined
  readonly runId: string | undefined
  /** Results that the session wrote. */
  readonly texts: Set<string>
  /** The binding of the run that goes on with this one. Mastra keeps the request context of a sub-agent that waits. */
  next?: Binding
  /** Finds the models that skills ask for. */
  readonly resolveModel: ForkOptions['resolveModel']
  /** The model of the last model call. */
  model?: AnyModel
  /** The names of the run's tools. */
  hostTools: readonly string[]
  /** The steps that the runs of the session are in, by their ids: a run that waited goes on in the same one. */
  readonly steps: Map<string | undefined, Promise<SkillStep>>
  /** A person's `/name` that waits for consent. The next model call is answered with it, and no model is called. */
  asking?: InvocationCall | undefined
}

type Known = Pick<Binding, 'skillTools' | 'steps' | 'callIds'>

/** What the runs of a session share. */
const KNOWN = new WeakMap<AdapterSession, Known>()

export function knownOf(session: AdapterSession): Known {
  const known = KNOWN.get(session) ?? { skillTools: new Map(), steps: new Map(), callIds: new Set() }
  KNOWN.set(session, known)
  return known
}

/** The calls of a conversation are found by it in the request context, also by sub-agents. */
export const BINDING = '__repertoire'

/** The run's `requireToolApproval` in the request context, with which a run that waited goes on. */
export const APPROVAL = '__repertoireApproval'

/** A run's own copy of the host's request context: runs share what the host gives, and what tools write into it. */
export class RunContext extends RequestContext<any> {
  readonly #host: RequestContext<any> | undefined

  constructor(host: RequestContext<any> | undefined) {
    super([...(host?.entries() ?? [])] as never)
    this.#host = host
  }

  override set(key: any, value: unknown): void {
    super.set(key, value)
    if (key !== BINDING && key !== APPROVAL) this.#host?.set(key, value)
  }

  override delete(key: any): boolean {
    this.#host?.delete(key)
    return super.delete(key)
  }
}

/** Mastra stores request contexts as JSON, and copies them for sub-agents. */
export class Held {
  readonly #binding: Binding
  constructor(binding: Binding) {
    this.#binding = binding
  }
  static in(context: RequestContext | undefined): Binding | undefined {
    const held: unknown = context?.get(BINDING)
    let binding = held instanceof Held ? held.#binding : undefined
    while (binding?.next !== undefined) binding = binding.next
    return binding
  }
  toJSON(): undefined {}
}

/** The thread of a run as Mastra finds it: a server's choice, in the request context, comes before its client's. */
export function threadOf({ memory, requestContext }: RunOptions): string | undefined {
  const chosen = requestContext?.get(MASTRA_THREAD_ID_KEY) as string | undefined
  return chosen || (typeof memory?.thread === 'object' ? memory.thread.id : memory?.thread)
}

/** A person's decision, if the data with which a run goes on are one. */
export function decisionOf(data: unknown): ConsentDecision | undefined {
  const { approved, reason } = (data ?? {}) as { readonly approved?: unknown; readonly reason?: unknown }
  return typeof approved === 'boolean' ? { approved, ...(typeof reason === 'string' && { reason }) } : undefined
}

/** Begins a step of a run, and remembers the skill tools that it shows. @param own the model of the run */
export function beginStep(binding: Binding, tools: readonly string[], own?: AnyModel): Promise<SkillStep> {
  const { session, skillTools, resolveModel } = binding
  const begin = async (): Promise<SkillStep> => {
    const step = await session.step<AnyModel>({
      tools: tools.filter((name) => !skillTools.has(name)),
      resolveModel,
      nameOf: (model = own) => nameOf(model),
    })
    for (const tool of step.tools) skillTools.set(tool.name, tool)
    return step
  }
  const step = begin()
  binding.steps.set(binding.runId, step)
  return step
}

/** Returns the step that a run is in. Calls that a person has approved come before its first one in a fresh process. */
export function stepOf(binding: Binding, hostTools: readonly string[]): Promise<SkillStep> {
  return binding.steps.get(binding.runId) ?? beginStep(binding, hostTools)
}

/** A model's name, for the audit, as Mastra has it. */
function nameOf(model: AnyModel | undefined): string | undefined {
  if (typeof model === 'string') return model.slice(model.indexOf('/') + 1)
  const { modelId, id } = (model ?? {}) as { readonly modelId?: string; readonly id?: string }
  return modelId ?? id?.slice(id.indexOf('/') + 1)
}

/** An agent that runs skills with `context: fork`. What is missing is as in the calling agent. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly instructions?: string
  readonly tools?: ToolsInput
  /** A model that a skill names, and that is found, takes precedence. */
  readonly model?: AnyModel
  /** The maximum number of model calls. Default 20. An agent that needs more has failed. */
  readonly maxSteps?: number
}

/** How skills with `context: fork` run, and which models skills may name. */
export type ForkOptions = CoreForkOptions<SubAgent, AnyModel>

export const FORK_OPTIONS: OptionTable<ForkOptions> = forkOptions(
  tableOf<SubAgent>({
    instructions: anyText,
    tools: foreign('an object of tools'),
    model: either(anyText, foreign('a model')),
    maxSteps: withDefault(DEFAULT_SUB_AGENT_STEPS, number('model calls', { from: 1, isWhole: true })),
  }),
)
