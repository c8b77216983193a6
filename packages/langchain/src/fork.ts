import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { HumanMessage } from '@langchain/core/messages'
import type { ClientTool, ServerTool } from '@langchain/core/tools'
import type { ForkRunner, Session } from '@repertoire/core'
import {
  type ForkOptions as CoreForkOptions,
  forkOptions,
  subAgentFor,
  DEFAULT_SUB_AGENT_STEPS,
  unattendedError,
  unfinishedForkError,
} from '@repertoire/core/adapter'
import { anyText, foreign, listOf, number, type OptionTable, tableOf, withDefault } from '@repertoire/core/options'
import { AIMessage, type AgentMiddleware, createAgent, createMiddleware } from 'langchain'
import { waitsForPerson } from './interrupts.ts'

/** An agent that runs skills with `context: fork`. Missing settings are those of the calling agent. */
export interface SubAgent {
  /** The sub-agent's system prompt. Default: a short text of core's that explains what a sub-agent is. */
  readonly systemPrompt?: string
  readonly tools?: readonly (ClientTool | ServerTool)[]
  /** A model that a skill names, and that is found, takes precedence. */
  readonly model?: BaseChatModel | string
  /** Middleware after that of the skills. Default none: the parent agent's middleware does not run in it. */
  readonly middleware?: readonly AgentMiddleware[]
  /** The maximum number of model calls. Default 20. */
  readonly maxSteps?: number
}

/** How skills with `context: fork` run. */
export type ForkOptions = CoreForkOptions<SubAgent, BaseChatModel | string>

const subAgent = tableOf<SubAgent>({
  systemPrompt: anyText,
  tools: listOf(foreign('a tool'), 'a list of tools'),
  model: foreign('a model'),
  middleware: listOf(foreign('a middleware'), 'a list of middleware'),
  maxSteps: withDefault(DEFAULT_SUB_AGENT_STEPS, number('model calls', { from: 1, isWhole: true })),
})

export const FORK_OPTIONS: OptionTable<ForkOptions> = forkOptions(subAgent)

/** The calling agent, as seen in its last model call. */
export interface ParentAgent {
  readonly model: BaseChatModel | string
  readonly tools: readonly (ClientTool | ServerTool)[]
}

/**
 * Runs each sub-agent of a skill as an agent of `createAgent`.
 * @param parentAgent absent if the run continues in another process than the one that called the model
 * @param join returns the skills' middleware with the sub-agent's session
 */
export function forkRunner(
  { subagents, resolveModel }: ForkOptions,
  parentAgent: () => ParentAgent | undefined,
  join: (session: Session) => AgentMiddleware,
): ForkRunner {
  return async (request) => {
    const { agent, model } = subAgentFor(request, { subagents, resolveModel, parentModel: parentAgent()?.model })
    const { maxSteps = DEFAULT_SUB_AGENT_STEPS, middleware = [] } = agent ?? {}
    const tools = agent?.tools ?? parentAgent()?.tools
    // Without its tools a sub-agent would silently do less than it was asked to.
    if (tools === undefined) {
      throw new TypeError(
        'There are no tools for the sub-agent: this process has not called a model yet. Give it some: `subagents: { default: { model, tools } }`.',
      )
    }
    const graph = createAgent({
      model,
      tools: [...tools],
      systemPrompt: agent?.systemPrompt ?? request.system,
      middleware: [join(request.session), ...middleware, modelCallLimit(maxSteps)],
      // Its conversation is not stored: a run that continues elsewhere starts it again.
      checkpointer: false,
    })
    const run = graph.invoke(
      { messages: [new HumanMessage(request.message)] },
      { signal: request.signal, recursionLimit: NO_LIMIT },
    )
    const { messages } = await run.catch((error: unknown) => {
      throw waitsForPerson(error) ? unattendedError() : error
    })
    return { text: messages.at(-1)?.text ?? '', usage: usageOf(messages) }
  }
}

/** Of the nodes of a graph: model calls are counted instead. */
const NO_LIMIT = 1_000_000

/** Counts model calls: the number of graph nodes in a step depends on the middleware. */
function modelCallLimit(most: number): AgentMiddleware {
  let calls = 0
  return createMiddleware({
    name: 'repertoire_model_calls',
    wrapModelCall(request, handler) {
      if (calls === most) throw unfinishedForkError(most)
      calls++
      return handler(request)
    },
  }) as AgentMiddleware
}

function usageOf(messages: readonly unknown[]): { inputTokens: number; outputTokens: number } {
  const counted = messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.usage_metadata ?? []) : []))
  return {
    inputTokens: counted.reduce((sum, { input_tokens: tokens }) => sum + tokens, 0),
    outputTokens: counted.reduce((sum, { output_tokens: tokens }) => sum + tokens, 0),
  }
}
