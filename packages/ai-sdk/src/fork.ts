import type { ForkRunner, Session } from '@repertoire/core'
import { agentFor, modelFor, DEFAULT_SUB_AGENT_STEPS, unfinishedForkError } from '@repertoire/core/adapter'
import { generateText, type Instructions, isStepCount, type LanguageModel, type ToolSet } from 'ai'
import type { HostApproval } from './approval.ts'
import type { ModelCall, SubAgentSettings } from './call-settings.ts'

/** An agent that runs skills with `context: fork`. What is left out is the host's own. */
export interface SubAgent {
  /** Default: a few words of core's that say what a sub-agent is. */
  readonly instructions?: Instructions
  /** Default: the host's own tools. */
  readonly tools?: ToolSet
  /** Default: the model of the step that calls. A model that a skill asks for, and that is found, goes before it. */
  readonly model?: LanguageModel
  /** Model calls at the most. Default 20. One that is not done by then has failed. */
  readonly maxSteps?: number
  /**
   * What `generateText` is given for it. Where the model is that of the run above, what is left out is as in its last
   * model call, but for `maxRetries`, `timeout`, `telemetry`, `toolCallConcurrency` and `stopWhen`, which AI SDK shows
   * nobody: these are AI SDK's defaults. What `stopWhen` ends is done, and ends before `maxSteps` at the latest.
   */
  readonly settings?: SubAgentSettings
}

/** How skills with `context: fork` are run. */
export interface ForkOptions {
  /**
   * The agent for skills that name no kind. Its model is needed where a skill is run before this process has called one
   * in the session: with the answer to a question that another process has asked. Default: as for every sub-agent.
   */
  readonly agent?: SubAgent | undefined
  /**
   * The agents by the kind that a skill's `agent` names; one that is not among them is refused. Default: an agent with
   * the host's own tools runs every skill, whatever kind it names.
   */
  readonly agents?: Readonly<Record<string, SubAgent>> | undefined
  /** Finds the model that a skill's `model` names; nothing: the usual one is taken. */
  readonly resolveModel?: ((name: string) => LanguageModel | undefined) | undefined
}

/** What a step leaves to the sub-agents below it. */
export interface Above {
  readonly model: LanguageModel
  /** The host's `toolsContext`, `runtimeContext` and sandbox, which its tools are given. */
  readonly contexts: object
  /** The last model call. Absent: there was none. */
  readonly called?: ModelCall
}

/** What a sub-agent is made of. */
interface ForkParts extends ForkOptions {
  readonly tools: ToolSet
  readonly toolApproval: HostApproval | undefined
  /** The step that is going on. */
  readonly above: () => Above | undefined
  /** Joins a sub-agent's settings with its skills: as for the host, but that nobody can approve anything. */
  readonly join: (session: Session, settings: JoinedSettings) => object
}

/** What a sub-agent hands on to those below it. */
interface JoinedSettings extends ForkOptions {
  readonly instructions: Instructions
  readonly tools: ToolSet
  readonly toolApproval: HostApproval | undefined
}

/** Runs the sub-agents of skills, each by a `generateText` of its own. */
export function forkRunner(parts: ForkParts): ForkRunner {
  const { agents, resolveModel, toolApproval, join } = parts
  return async (request) => {
    const agent = agentFor(agents, request) ?? parts.agent
    const model = modelFor(request, { resolveModel, agent, parentModel: parts.above()?.model })
    const skills = join(request.session, {
      instructions: agent?.instructions ?? request.system,
      tools: agent?.tools ?? parts.tools,
      toolApproval,
      agent: parts.agent,
      agents,
      resolveModel,
    })
    const { stopWhen = [], ...settings } = { ...runSettings(model, parts.above()?.called), ...agent?.settings }
    const maxSteps = agent?.maxSteps ?? DEFAULT_SUB_AGENT_STEPS
    const { text, totalUsage, finishReason, steps } = await generateText({
      ...settings,
      model,
      messages: [{ role: 'user', content: request.message }],
      stopWhen: [isStepCount(maxSteps), ...[stopWhen].flat()],
      abortSignal: request.signal,
      ...parts.above()?.contexts,
      ...skills,
    })
    if (finishReason === 'tool-calls' && steps.length >= maxSteps) throw unfinishedForkError(steps.length)
    const { inputTokens, outputTokens } = totalUsage
    return {
      text,
      usage: { ...(inputTokens !== undefined && { inputTokens }), ...(outputTokens !== undefined && { outputTokens }) },
    }
  }
}

// Settings are a model's, and headers may hold a key: no other endpoint is sent them.
function runSettings(model: LanguageModel, called: ModelCall | undefined): SubAgentSettings {
  return called?.model === model ? called.settings : {}
}
