import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { HumanMessage } from '@langchain/core/messages'
import type { ClientTool, ServerTool } from '@langchain/core/tools'
import type { ForkRunner, Session } from '@repertoire/core'
import {
  agentFor,
  modelFor,
  DEFAULT_SUB_AGENT_STEPS,
  unattendedForkError,
  unfinishedForkError,
} from '@repertoire/core/adapter'
import { AIMessage, type AgentMiddleware, createAgent, createMiddleware } from 'langchain'
import { waitsForPerson } from './interrupts.ts'

/** An agent that runs skills with `context: fork`. What is left out is that of the agent whose model calls. */
export interface SubAgent {
  /** Default: a few words of core's that say what a sub-agent is. */
  readonly systemPrompt?: string
  readonly tools?: readonly (ClientTool | ServerTool)[]
  /** A model that a skill asks for, and that is found, goes before it. */
  readonly model?: BaseChatModel | string
  /** Middleware of its own, behind that of the skills. Default none: that of the agent above does not run in it. */
  readonly middleware?: readonly AgentMiddleware[]
  /** Model calls at the most. Default 20. */
  readonly maxSteps?: number
}

/** How skills with `context: fork` are run. */
export interface ForkOptions {
  /**
   * The agent for skills that name no kind. Its model and tools are needed where a skill is run before this process has
   * called a model in the thread: a person's first message invokes it, or another process has asked whether it may.
   * Default: as for every sub-agent.
   */
  readonly agent?: SubAgent | undefined
  /**
   * The agents by the kind that a skill's `agent` names; one that is not among them is refused. Default: an agent with
   * the same tools runs every skill, whatever kind it names.
   */
  readonly agents?: Readonly<Record<string, SubAgent>> | undefined
  /** Finds the model that a skill's `model` names; nothing: the usual one is taken. */
  readonly resolveModel?: ((name: string) => BaseChatModel | string | undefined) | undefined
}

/** The agent whose model calls, as its last model call showed it. */
export interface Above {
  readonly model: BaseChatModel | string
  readonly tools: readonly (ClientTool | ServerTool)[]
}

/** What a sub-agent is made of. */
interface ForkParts extends ForkOptions {
  /** Nothing where a run goes on in another process than the one in which the model was called. */
  readonly above: () => Above | undefined
  /** The skills' middleware over the sub-agent's session. */
  readonly join: (session: Session) => AgentMiddleware
}

/** Runs the sub-agents of skills, each as an agent of `createAgent`. */
export function forkRunner(parts: ForkParts): ForkRunner {
  const { agents, resolveModel, above, join } = parts
  return async (request) => {
    const agent = agentFor(agents, request) ?? parts.agent
    const { maxSteps = DEFAULT_SUB_AGENT_STEPS, middleware = [] } = agent ?? {}
    const graph = createAgent({
      model: modelFor(request, { resolveModel, agent, parentModel: above()?.model }),
      tools: [...wantedTools(agent, parts)],
      systemPrompt: agent?.systemPrompt ?? request.system,
      middleware: [join(request.session), ...middleware, modelCallLimit(maxSteps)],
      // Its conversation is kept nowhere: a run that goes on elsewhere begins it anew.
      checkpointer: false,
    })
    const run = graph.invoke(
      { messages: [new HumanMessage(request.message)] },
      { signal: request.signal, recursionLimit: nodesOf(maxSteps, middleware.length) },
    )
    const { messages } = await run.catch((error: unknown) => {
      throw waitsForPerson(error) ? unattendedForkError() : error
    })
    return { text: messages.at(-1)?.text ?? '', usage: usageOf(messages) }
  }
}

/** Counted where the model is called: how many nodes of the graph a step takes is the middleware's matter. */
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

/** More nodes than the graph of a sub-agent can take: a model, its tools, and what each middleware has around them. */
function nodesOf(steps: number, middlewares: number): number {
  return (steps + 2) * (2 + 2 * middlewares) + 2
}

// Without its tools a sub-agent would do less than it was asked to, and nobody would be told.
function wantedTools(agent: SubAgent | undefined, { above }: ForkParts): Above['tools'] {
  const tools = agent?.tools ?? above()?.tools
  if (tools !== undefined) return tools
  throw new TypeError(
    'There are no tools for the sub-agent: this process has not called a model yet. Give its agent some in the option `agents`.',
  )
}

function usageOf(messages: readonly unknown[]): { inputTokens: number; outputTokens: number } {
  const counted = messages.flatMap((message) => (AIMessage.isInstance(message) ? (message.usage_metadata ?? []) : []))
  return {
    inputTokens: counted.reduce((sum, { input_tokens: tokens }) => sum + tokens, 0),
    outputTokens: counted.reduce((sum, { output_tokens: tokens }) => sum + tokens, 0),
  }
}
