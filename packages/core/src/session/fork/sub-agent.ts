import {
  type OptionTable,
  callable,
  checkOptions,
  foreign,
  quoteBeginning,
  showName,
} from '@repertoire/skill-md/internal'
import { MAX_NAME_CHARS } from '../refusal.ts'
import type { ForkRequest } from '../session.ts'

/**
 * Returns the agent that runs a fork, of those that a host has by their kind. For adapters.
 * @param agents absent: the host has none of its own, and the default one runs every kind
 * @returns undefined where the default one runs it
 * @throws {TypeError} the host has no agent of the kind that the skill asks for
 */
export function agentFor<Agent>(
  agents: Readonly<Record<string, Agent>> | undefined,
  { agent }: Pick<ForkRequest, 'agent'>,
): Agent | undefined {
  if (agents === undefined || agent === undefined) return undefined
  if (Object.hasOwn(agents, agent)) return agents[agent]
  const known = Object.keys(agents)
  const which = known.length === 0 ? 'There are none.' : `Known are: ${known.map(showName).join(', ')}.`
  throw new TypeError(`There is no agent of the kind ${quoteBeginning(agent, MAX_NAME_CHARS)}. ${which}`)
}

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
 * parent's. For adapters.
 * @throws {TypeError} there is no model
 */
export function modelFor<Model>({ model: name }: Pick<ForkRequest, 'model'>, choice: ModelChoice<Model>): Model {
  checkOptions<Partial<ModelChoice<unknown>>>('modelFor', MODEL_CHOICE, choice)
  const { resolveModel, agent, parentModel } = choice
  const found = name === undefined ? undefined : resolveModel?.(name)
  const model = found ?? agent?.model ?? parentModel
  if (model !== undefined) return model
  throw new TypeError(
    'There is no model for the sub-agent: this process has not called one yet. Give its agent one in the option `agent` or `agents`.',
  )
}

/** Default for the model calls that a sub-agent may make. For adapters. */
export const DEFAULT_SUB_AGENT_STEPS = 20

/** Why a call that needs a person's approval is denied in a sub-agent. For adapters, whose frameworks show it. */
export const UNATTENDED_REASON = 'nobody can be asked to approve it in a sub-agent'

/** Returns what a call in a sub-agent fails with where its tool waits for a person. For adapters whose tools can wait. */
export function unattendedCallError(tool: string): Error {
  return new Error(
    `The call of ${quoteBeginning(tool, MAX_NAME_CHARS)} waits for a person, and nobody can be asked in a sub-agent, which runs unattended. Go on without it, and say in your result what is left to be asked.`,
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
 * Returns what a `ForkRunner` throws where its sub-agent has made all the model calls that it may, and still calls tools:
 * the text beside its last calls is not a result. For adapters.
 */
export function unfinishedForkError(modelCalls: number): Error {
  return new Error(`its sub-agent had not finished after ${modelCalls} model calls`)
}
