import type { ForkRequest } from '../session.ts'

/**
 * The agent that a fork is run by, of those that a host has by their kind. For adapters.
 * @param agents absent: the host has none of its own, and whatever kind a skill asks for, the usual one runs it
 * @returns undefined where the usual one runs it
 * @throws {TypeError} the host has no agent of the kind that the skill asks for
 */
export function agentFor<Agent>(
  agents: Readonly<Record<string, Agent>> | undefined,
  { agent }: Pick<ForkRequest, 'agent'>,
): Agent | undefined {
  if (agents === undefined || agent === undefined) return undefined
  if (Object.hasOwn(agents, agent)) return agents[agent]
  const known = Object.keys(agents)
  const which = known.length === 0 ? 'There are none.' : `Known are: ${known.join(', ')}.`
  throw new TypeError(`There is no agent of the kind ${JSON.stringify(agent.slice(0, 80))}. ${which}`)
}

/** What a sub-agent's model is chosen from. */
export interface ModelChoice<Model> {
  /** Finds the model that a skill names. */
  readonly resolveModel?: ((name: string) => Model | undefined) | undefined
  /** The agent that runs the fork. */
  readonly agent: { readonly model?: Model } | undefined
  /** That of the model call which wants the fork, where this process has made it. */
  readonly parentModel: Model | undefined
}

/**
 * The model that a fork is run with: the one that the skill names, if it is found, or the agent's, or the one above. For
 * adapters.
 * @throws {TypeError} there is none
 */
export function modelFor<Model>(
  { model: name }: Pick<ForkRequest, 'model'>,
  { resolveModel, agent, parentModel }: ModelChoice<Model>,
): Model {
  const found = name === undefined ? undefined : resolveModel?.(name)
  const model = found ?? agent?.model ?? parentModel
  if (model !== undefined) return model
  throw new TypeError(
    'There is no model for the sub-agent: this process has not called one yet. Give its agent one in the option `agent` or `agents`.',
  )
}

/** Model calls that a sub-agent may make where its host says nothing of it. For adapters. */
export const DEFAULT_SUB_AGENT_STEPS = 20

/** Why a call that needs a person's approval is denied in a sub-agent. For adapters, whose frameworks put it in words. */
export const UNATTENDED_REASON = 'nobody can be asked to approve it in a sub-agent'

/** What a call fails with in a sub-agent where its tool waits for a person. For adapters whose tools can wait. */
export function unattendedCallError(tool: string): Error {
  return new Error(
    `The call of ${JSON.stringify(tool)} waits for a person, and nobody can be asked in a sub-agent, which runs unattended. Go on without it, and say in your result what is left to be asked.`,
  )
}

/**
 * What a `ForkRunner` throws where its sub-agent waits for a person outside of a call of its own, so that it cannot go on
 * without. For adapters.
 */
export function unattendedForkError(): Error {
  return new Error(
    'its sub-agent waited for a person, and sub-agents run unattended: nobody can be asked in one. Go on without the skill, and do yourself what needs a person.',
  )
}

/**
 * What a `ForkRunner` throws where its sub-agent has made all the model calls that it may, and still wants to call
 * tools: what it said beside its last calls is no result. For adapters.
 */
export function unfinishedForkError(modelCalls: number): Error {
  return new Error(`its sub-agent was not done after ${modelCalls} model calls`)
}
