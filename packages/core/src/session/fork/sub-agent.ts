import {
  type OptionKind,
  type OptionTable,
  callable,
  checkOptions,
  foreign,
  quoteBeginning,
  recordOf,
  showName,
} from '@repertoire/skill-md/internal'
import { MAX_NAME_CHARS } from '../refusal.ts'
import type { ForkRequest } from '../session.ts'

/** How skills with `context: fork` run. Every adapter takes these options, with the agents and models of its framework. */
export interface ForkOptions<Agent, Model> {
  /**
   * The agents for skills with `context: fork`, by the kind that a skill's `agent` names. `default` runs skills that name
   * none, and every skill if there is no other kind; otherwise an unknown kind is refused. What an agent leaves out is as
   * in the calling agent. Before this process has called a model in the session, `default` needs a model of its own: a
   * person's message, or the answer to a consent request of another process, may run a skill that early. Default: the
   * calling agent's own settings.
   */
  readonly subagents?: Readonly<Record<string, Agent>> | undefined
  /**
   * Resolves the name in a skill's `model`, for its sub-agent and for the steps while the skill is active; undefined:
   * the default model is used.
   */
  readonly resolveModel?: ((name: string) => Model | undefined) | undefined
}

/** Returns the table of `ForkOptions`. For adapters. @param agent what an agent of their framework is */
export function forkOptions<Agent, Model>(agent: OptionKind): OptionTable<ForkOptions<Agent, Model>> {
  return { subagents: recordOf(agent), resolveModel: callable }
}

/**
 * Returns the agent that runs a fork: the one of the kind that the skill asks for, or else `default`. For adapters.
 * @param subagents absent, or without another kind than `default`: the host makes no difference between kinds
 * @returns undefined: the calling agent's own settings are used
 * @throws {TypeError} the host has other kinds, and not the one that the skill asks for
 */
export function agentFor<Agent>(
  subagents: Readonly<Record<string, Agent>> | undefined,
  { agent = DEFAULT_AGENT }: Pick<ForkRequest, 'agent'>,
): Agent | undefined {
  const kinds = Object.keys(subagents ?? {}).filter((kind) => kind !== DEFAULT_AGENT)
  if (subagents === undefined || agent === DEFAULT_AGENT || kinds.length === 0) return subagents?.[DEFAULT_AGENT]
  if (Object.hasOwn(subagents, agent)) return subagents[agent]
  throw new TypeError(
    `There is no sub-agent of the kind ${quoteBeginning(agent, MAX_NAME_CHARS)}. Known are: ${kinds.map(showName).join(', ')}.`,
  )
}

const DEFAULT_AGENT = 'default'

/** The models that a sub-agent's is chosen from. */
export interface ModelChoice<Model> {
  /** Returns the model that a skill names; undefined where there is none. */
  readonly resolveModel?: ((name: string) => Model | undefined) | undefined
  /** The agent that runs the fork. */
  readonly agent: { readonly model?: Model } | undefined
  /** The parent's: the model whose call requested the fork, where this process has called it. */
  readonly parentModel: Model | undefined
}

const MODEL_CHOICE: OptionTable<Partial<ModelChoice<unknown>>> = {
  resolveModel: callable,
  agent: foreign('an agent'),
  parentModel: foreign('a model'),
}

/**
 * Returns the model that a fork is run with: the one that the skill names, if it is found, or the agent's, or the
 * parent's. One that is not found is reported as a problem. For adapters.
 * @throws {TypeError} there is no model
 */
export function modelFor<Model>(
  { model: name, reportModel }: Pick<ForkRequest, 'model' | 'reportModel'>,
  choice: ModelChoice<Model>,
): Model {
  checkOptions<Partial<ModelChoice<unknown>>>('modelFor', MODEL_CHOICE, choice)
  const { resolveModel, agent, parentModel } = choice
  const found = name === undefined ? undefined : resolveModel?.(name)
  if (name !== undefined && found === undefined) reportModel()
  const model = found ?? agent?.model ?? parentModel
  if (model !== undefined) return model
  throw new TypeError(
    'There is no model for the sub-agent: this process has not called one yet. Give it one: `subagents: { default: { model } }`.',
  )
}

/** How many model calls a sub-agent may make by default. For adapters. */
export const DEFAULT_SUB_AGENT_STEPS = 20

/** Why a call that needs a person's approval is denied in a sub-agent. For adapters, whose frameworks show it. */
export const UNATTENDED_REASON = 'nobody can be asked to approve it in a sub-agent'

/** Returns what a call in a sub-agent fails with where its tool waits for a person. For adapters whose tools can wait. */
export function unattendedCallError(tool: string): Error {
  return new Error(
    `The call of ${quoteBeginning(tool, MAX_NAME_CHARS)} waits for a person, but a sub-agent runs unattended and cannot ask. Go on without it, and say in your result what is left to be asked.`,
  )
}

/**
 * Returns what a `ForkRunner` throws where its sub-agent waits for a person outside of a tool call, so that it cannot go
 * on. For adapters.
 */
export function unattendedForkError(): Error {
  return new Error(
    'its sub-agent waited for a person, and sub-agents run unattended: nobody can be asked in one. Go on without the skill, and do yourself what needs a person.',
  )
}

/**
 * Returns what an agent, or a `ForkRunner` for its sub-agent, throws when it has made all the model calls that it may, and
 * still calls tools: the text beside its last calls is not a result. For adapters.
 */
export function unfinishedForkError(modelCalls: number): Error {
  return new Error(`the agent had not finished after ${modelCalls} model calls`)
}
