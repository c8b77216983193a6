import type { ForkRequest } from './session.ts'

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

/**
 * What a `ForkRunner` throws where its sub-agent has made all the model calls that it may, and still wants to call
 * tools: what it said beside its last calls is no result. For adapters.
 */
export function unfinished(modelCalls: number): Error {
  return new Error(`its sub-agent was not done after ${modelCalls} model calls`)
}
