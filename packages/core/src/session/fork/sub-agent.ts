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

/** How skills with `context: fork` run. Every adapter takes these, with the agents and models of its framework. */
export interface ForkOptions<Agent, Model> {
  /**
   * The agents for skills with `context: fork`, by the kind that a skill's `agent` names. `default` runs skills that
   * name none, and every skill if there is no other kind; otherwise an unknown kind is refused. What an agent leaves
   * out is as in the calling agent. Before this process has called a model in the session, `default` needs a model of
   * its own: a person's message, or the answer to a consent request of another process, may run a skill that early.
   * Default: the calling agent's own settings.
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

/** What a sub-agent is chosen from. */
export interface SubAgentChoice<Agent, Model> extends ForkOptions<Agent, Model> {
  /** The model whose call requested the fork, where this process has called it. */
  readonly parentModel: Model | undefined
}

const CHOICE: OptionTable<Partial<SubAgentChoice<unknown, unknown>>> = {
  ...forkOptions(foreign('an agent')),
  parentModel: foreign('a model'),
}

/**
 * Returns the agent and the model that run a fork. The agent is the one of the kind that the skill asks for, or else
 * `default`; undefined: the calling agent's own settings are used. The model is the one that the skill names, if it is
 * found, or the agent's, or the parent's. One that is not found is reported as a problem. For adapters.
 * @throws {TypeError} the host has other kinds, and not the one that the skill asks for; there is no model
 */
export function subAgentFor<Agent extends object, Model>(
  { agent: kind = DEFAULT_AGENT, model: name, reportModel }: Pick<ForkRequest, 'agent' | 'model' | 'reportModel'>,
  choice: SubAgentChoice<Agent, Model>,
): { readonly agent: Agent | undefined; readonly model: Model } {
  checkOptions<Partial<SubAgentChoice<unknown, unknown>>>('subAgentFor', CHOICE, choice)
  const { subagents = {}, resolveModel, parentModel } = choice
  const agent = agentOf(subagents, kind)
  const found = name === undefined ? undefined : resolveModel?.(name)
  if (name !== undefined && found === undefined) reportModel()
  const model = found ?? (agent as { readonly model?: Model } | undefined)?.model ?? parentModel
  if (model !== undefined) return { agent, model }
  throw new TypeError(
    'There is no model for the sub-agent: this process has not called one yet. Give it one: `subagents: { default: { model } }`.',
  )
}

/** A host without another kind than `default` makes no difference between kinds. */
function agentOf<Agent>(subagents: Readonly<Record<string, Agent>>, kind: string): Agent | undefined {
  const kinds = Object.keys(subagents).filter((each) => each !== DEFAULT_AGENT)
  if (kind === DEFAULT_AGENT || kinds.length === 0) return subagents[DEFAULT_AGENT]
  if (Object.hasOwn(subagents, kind)) return subagents[kind]
  throw new TypeError(
    `There is no sub-agent of the kind ${quoteBeginning(kind, MAX_NAME_CHARS)}. Known are: ${kinds.map(showName).join(', ')}.`,
  )
}

const DEFAULT_AGENT = 'default'

/** How many model calls a sub-agent may make by default. For adapters. */
export const DEFAULT_SUB_AGENT_STEPS = 20

/** Why a call that needs a person's approval is denied in a sub-agent. For adapters, whose frameworks show it. */
export const UNATTENDED_REASON = 'nobody can be asked to approve it in a sub-agent'

/**
 * Returns what a call in a sub-agent fails with where its tool waits for a person; without a tool what the `ForkRunner`
 * throws where its sub-agent waits outside of a tool call, so that it cannot go on. For adapters.
 */
export function unattendedError(tool?: string): Error {
  return new Error(
    tool === undefined
      ? 'its sub-agent waited for a person, and sub-agents run unattended: nobody can be asked in one. Go on without the skill, and do yourself what needs a person.'
      : `The call of ${quoteBeginning(tool, MAX_NAME_CHARS)} waits for a person, but a sub-agent runs unattended and cannot ask. Go on without it, and say in your result what is left to be asked.`,
  )
}

/**
 * Returns what an agent, or a `ForkRunner` for its sub-agent, throws when it has made all the model calls that it may,
 * and still calls tools: the text beside its last calls is not a result. For adapters.
 */
export function unfinishedForkError(modelCalls: number): Error {
  return new Error(`the agent had not finished after ${modelCalls} model calls`)
}
