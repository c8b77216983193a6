import {
  type AgentToolOptionsWithDefault,
  type AgentToolOptionsWithParameters,
  type FunctionToolResult,
  Handoff,
  type protocol,
  type RunConfig,
  type RunContext,
  Runner,
  type RunState,
  type Tool,
  type ToolUseBehavior,
} from '@openai/agents'
import { toSmartString } from '@openai/agents/utils'
import { type AnyAgent, beginStep, type Binding, type SkillStep } from './binding.ts'
import { shownTo } from './model.ts'
import { gatedTools } from './tools.ts'

/** What agents behind the gate were made of. */
const MADE = new WeakMap<AnyAgent, { readonly host: AnyAgent; readonly base: AnyAgent; readonly binding: Binding }>()

export function bindingOf(agent: AnyAgent | undefined): Binding | undefined {
  return agent && MADE.get(agent)?.binding
}

function hostsAgent(agent: AnyAgent | undefined): AnyAgent | undefined {
  return agent && (MADE.get(agent)?.host ?? agent)
}

/** Has a result name the host's own agent as its last one. */
export function withHostsAgent<T extends { readonly state: RunState<any, any> }>(result: T): T {
  return Object.defineProperty(result, 'lastAgent', { get: () => hostsAgent(result.state.currentAgent) })
}

/** Returns the step that an agent behind the gate is in: its first one in this process begins with its tools. */
export async function stepOf(binding: Binding, agent: AnyAgent, context: RunContext<any>): Promise<SkillStep> {
  const base = MADE.get(agent)?.base ?? agent
  if (!binding.steps.has(base)) await agent.getAllTools(context)
  return (await binding.steps.get(base)) ?? beginStep(binding, base, [])
}

/**
 * Returns an agent with its tools behind the gate, its model shown the skills, and the agents that it hands over to
 * likewise. Everything else it inherits from the host's own, its listeners too.
 * @param given the host's own, or one that an earlier run has returned
 * @param changes properties that differ from the host's
 */
export function skilled(binding: Binding, given: AnyAgent, changes: object = {}): AnyAgent {
  const host = MADE.get(given)?.host ?? given
  const known = binding.agents.get(host)
  if (known !== undefined) return known
  if ('defaultManifest' in host) {
    throw new TypeError(
      `"${host.name}" is a SandboxAgent. The SDK copies it before each step, and the tools of a copy are outside of the gate. Use an Agent.`,
    )
  }
  const base = Object.keys(changes).length === 0 ? host : derived(host, changes)
  // Agents may hand over to each other, and hosts add tools and handoffs later.
  const handoffTo = once((entry: AnyAgent | Handoff<any, any>) =>
    entry instanceof Handoff ? skilledHandoff(binding, entry) : skilled(binding, entry),
  )
  const toolOf = once((tool: Tool<any>) => agentToolOf(binding, tool))
  const agent: AnyAgent = derived(base, {
    model: shownTo(binding, base),
    toolUseBehavior: unlessSkills(binding, base.toolUseBehavior),
    getAllTools: async (...args: [RunContext<any>]) =>
      toolsOf(binding, base, (await base.getAllTools(...args)).map(toolOf)),
    // Functions of the host's are given its own agent.
    getSystemPrompt: base.getSystemPrompt.bind(base),
    getPrompt: base.getPrompt.bind(base),
  })
  Object.defineProperties(agent, {
    tools: { enumerable: true, get: () => base.tools.map(toolOf) },
    handoffs: { enumerable: true, get: () => base.handoffs.map(handoffTo) },
  })
  binding.agents.set(host, agent)
  MADE.set(agent, { host, base, binding })
  return agent
}

/** Remembers what a function has made: the SDK takes things for the same by their identity. */
function once<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const made = new WeakMap<From, To>()
  return (from) => {
    const known = made.get(from) ?? make(from)
    made.set(from, known)
    return known
  }
}

/** An agent that differs from another one in some properties, and is one with it otherwise. */
function derived(agent: AnyAgent, changes: object): AnyAgent {
  const properties = Object.entries(changes).map(([name, value]) => [name, { value, enumerable: true, writable: true }])
  return Object.create(agent, Object.fromEntries(properties)) as AnyAgent
}

function skilledHandoff(binding: Binding, handoff: Handoff<any, any>): Handoff<any, any> {
  return handoff.clone({
    agent: skilled(binding, handoff.agent),
    onInvokeHandoff: async (context, input) => skilled(binding, await handoff.onInvokeHandoff(context, input)),
  })
}

async function toolsOf(binding: Binding, agent: AnyAgent, tools: readonly Tool<any>[]): Promise<Tool<any>[]> {
  // Calls that were approved come before the first model call of a process.
  await (binding.steps.get(agent) ?? beginStep(binding, agent, tools))
  return gatedTools(binding, agent, tools)
}

const MAKE = Symbol.for('@repertoire/openai-agents/agent-tool')

type AgentTool = ReturnType<AnyAgent['asTool']>

/**
 * Makes an agent a tool, as `agent.asTool(options)` does, for agents with skills. The agent then works in the session
 * of its caller: what restricts the caller restricts it. The calls of one made by `asTool` are outside of the gate.
 */
export function agentTool<TAgent extends AnyAgent>(
  agent: TAgent,
  options: AgentToolOptionsWithDefault<any, TAgent> | AgentToolOptionsWithParameters<any, TAgent, any>,
): AgentTool {
  const tool = agent.asTool(options as never)
  const handlers: Parameters<AgentTool['on']>[] = []
  const on: AgentTool['on'] = (...handler) => {
    handlers.push(handler)
    return tool
  }
  const { runConfig } = options
  const make = (binding: Binding): AgentTool => {
    const made = skilled(runConfig ? configured(binding, runConfig) : binding, agent).asTool(options as never)
    for (const handler of handlers) made.on(...handler)
    return made
  }
  return Object.assign(tool, { on, [MAKE]: make })
}

/** The binding of agents that run with a configuration of their own. It follows the run that it is a part of. */
function configured(binding: Binding, config: Partial<RunConfig>): Binding {
  const runner = new Runner({ ...binding.runner.config, ...config })
  return Object.create(binding, { runner: { value: runner }, agents: { value: new WeakMap() } }) as Binding
}

function agentToolOf(binding: Binding, tool: Tool<any>): Tool<any> {
  const { [MAKE]: make } = tool as { readonly [MAKE]?: (binding: Binding) => AgentTool }
  return make?.(binding) ?? tool
}

/** The results of skill tools, and refusals, end no run. */
function unlessSkills({ unfinished }: Binding, behavior: ToolUseBehavior): ToolUseBehavior {
  if (behavior === 'run_llm_again') return behavior
  return (context, results) => {
    const finished = results.filter(({ runItem }) => !unfinished.has(callOf(runItem).callId ?? ''))
    if (typeof behavior === 'function') return behavior(context, finished)
    const names = behavior === 'stop_on_first_tool' ? undefined : behavior.stopAtToolNames
    for (const result of finished) {
      const { namespace } = callOf(result.runItem)
      const isNamed = names?.some((name) => name === result.tool.name || name === `${namespace}.${result.tool.name}`)
      if (result.type !== 'function_output' || isNamed === false) continue
      return { isFinalOutput: true, isInterrupted: undefined, finalOutput: toSmartString(result.output) }
    }
    return { isFinalOutput: false, isInterrupted: undefined }
  }
}

function callOf({ rawItem }: FunctionToolResult['runItem']): Partial<protocol.FunctionCallResultItem> {
  return rawItem as Partial<protocol.FunctionCallResultItem>
}
