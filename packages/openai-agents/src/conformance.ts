import {
  type AdapterDriver,
  type Conversation,
  storedTask,
  type StoredTaskPlace,
  type TaskSetup,
  type Turn,
} from '@repertoire/conformance'
import type { ConsentAnswer } from '@repertoire/core'
import {
  Agent,
  type AgentInputItem,
  type ModelProvider,
  OpenAIProvider,
  type RunResult,
  Runner,
  type RunState,
  type StreamedRunResult,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { errorFunction } from './tools.ts'
import { skillsRunner } from './skills-runner.ts'

/** What a fresh process needs. */
interface Saved {
  readonly items: AgentInputItem[]
  /** The agent that the conversation was handed to. */
  readonly agent: string
  /** The state of the run that waits. */
  readonly state?: string
  readonly session: StoredTaskPlace
}

const NO_REASONING =
  "The SDK's chat completions send no reasoning back, and read it in a field of another name. Use Responses for models that reason."

const REFUSED = 'The SDK throws where the answer is a refusal in a chat completion, and keeps nothing of it.'
const CHAT = {
  'errors-answer-ends/ended': REFUSED,
  'errors-answer-ends/history': REFUSED,
  'history-reasoning': NO_REASONING,
  'history-reasoning-answers': NO_REASONING,
  'forks-history/history': NO_REASONING,
  'window-reasoning': NO_REASONING,
}

const RESPONSES = { 'errors-answer-ends': 'The SDK takes a response that is incomplete for a failure.' }

const DENIED =
  'The SDK writes the result of a denied call, which is then not on record as denied. Its question and answer are.'
const BESIDE = 'The SDK carries out the calls that ask nothing while another call of the message waits.'

/** What differs in every variant. */
const ALL = {
  'cleanup-ended-fork': 'A store gives a session to one run at a time: the end of a task waits for its run.',
  'options-lease':
    'A store keeps the sessions of the runner, without the options `checkpoint` and `until`: it aborts the run when the lease of a session is lost.',
  'cleanup-stuck-folder': 'What a run waits for is asked when the run is over, without its signal.',
  'cleanup-left-waiting/toolRuns': BESIDE,
  'cleanup-left-waiting/auditEvents': BESIDE,
  'consent-suspends/auditEvents': DENIED,
  'options-asked/auditEvents': DENIED,
}

/** Judges this adapter: `describeConformance(openaiAgentsDriver)`, `repertoire conformance --adapter openai-agents`. */
export const openaiAgentsDriver: AdapterDriver = {
  name: 'OpenAI Agents',
  variants: [
    { name: 'run', known: CHAT },
    { name: 'stream', known: CHAT },
    { name: 'run, Responses', protocol: 'openai-responses', known: RESPONSES },
    { name: 'stream, Responses', protocol: 'openai-responses', known: RESPONSES },
  ],
  capabilities: {
    suspend: true,
    resume: true,
    abort: true,
    parallelCalls: true,
    hiding: true,
    continuation: true,
    compaction: true,
    approval: true,
    output: true,
    handoff: true,
  },
  known: ALL,
  handoffTool: (agent) => `transfer_to_${agent}`,
  start: async (task) => converse(task),
}

/** Finds the models of a task by their names. */
function providerOf({ variant, endpoint, models }: TaskSetup): ModelProvider {
  const provider = ({ baseURL, apiKey }: TaskSetup['endpoint']): OpenAIProvider =>
    new OpenAIProvider({
      openAIClient: new OpenAI({ baseURL, apiKey, maxRetries: 0 }) as never,
      useResponses: variant.endsWith('Responses'),
    })
  return {
    async getModel(name = '') {
      const found = models?.get(name) ?? endpoint
      return provider(found).getModel(found.model)
    },
  }
}

/** Every agent can hand over to every other one. */
function agentsOf(task: TaskSetup): ReadonlyMap<string, Agent> {
  const given = Object.entries({ main: { instructions: task.instructions }, ...task.handoffs })
  const agents = new Map(given.map(([name, { instructions }]) => [name, agentOf(task, name, instructions)]))
  for (const agent of agents.values()) agent.handoffs = [...agents.values()].filter((other) => other !== agent)
  return agents
}

function agentOf(task: TaskSetup, name: string, instructions: string): Agent {
  const { tools, approval, endpoint, output } = task
  const agent = new Agent({
    name,
    instructions,
    model: endpoint.model,
    tools: tools.map(({ name: toolName, description, inputSchema, ...given }) =>
      tool({
        name: toolName,
        description,
        parameters: inputSchema as never,
        strict: false,
        needsApproval: approval?.tools.includes(toolName) === true,
        errorFunction,
        execute: (input, _, details) =>
          given.execute(input, {
            callId: details?.toolCall?.callId ?? '',
            ...(details?.signal && { signal: details.signal }),
          }),
      }),
    ),
  })
  // Its type belongs to that of the agent, and each task may have another one.
  if (output) agent.outputType = { type: 'json_schema', name: 'answer', strict: true, schema: output } as never
  return agent
}

function converse(task: TaskSetup): Conversation {
  const { maxSteps, models, subagents, approval } = task
  const saved = task.saved as Saved | undefined
  const agents = agentsOf(task)
  let agent = agents.get(saved?.agent ?? 'main')!
  const { sessions, session, id, place, active, end } = storedTask(task, saved?.session)
  const skills = skillsRunner({
    runner: new Runner({ modelProvider: providerOf(task), tracingDisabled: true }),
    subagents,
    resolveModel: (name) => (models?.has(name) === true ? name : undefined),
    repertoire: task.repertoire,
    sessions,
    session,
  }).task(id)
  let items: AgentInputItem[] = saved?.items ?? []
  let waiting: RunState<any, any> | undefined

  async function run(input: AgentInputItem[] | RunState<any, any>, signal?: AbortSignal): Promise<Turn> {
    const given = {
      maxTurns: maxSteps,
      signal,
      // A run that fails has no history: the SDK shows it before each model call.
      callModelInputFilter({ modelData }: { modelData: { input: AgentInputItem[]; instructions?: string } }) {
        items = modelData.input
        return modelData
      },
    }
    let ended: RunResult<any, any> | StreamedRunResult<any, any>
    if (task.variant.includes('stream')) {
      const streamed = (ended = await skills.run(agent, input, { ...given, stream: true }))
      for await (const _ of streamed);
      await streamed.completed
      signal?.throwIfAborted()
    } else ended = await skills.run(agent, input, given)
    items = ended.history
    agent = agents.get(ended.lastAgent?.name ?? '') ?? agent
    const requests = await skills.requests(ended.state)
    if (requests.length > 0) {
      waiting = ended.state
      return { status: 'asking', requests: requests.map(({ request }) => request) }
    }
    if (ended.interruptions.length === 0) {
      const { finalOutput: answer = '' } = ended
      return { status: 'done', text: task.output === undefined ? String(answer) : JSON.stringify(answer) }
    }
    await approve(ended.state)
    return run(ended.state, signal)
  }

  /** Asks the person about calls of the host's own tools. */
  async function approve(state: RunState<any, any>): Promise<void> {
    const { _context: context } = state
    for (const interruption of state.getInterruptions()) {
      if (interruption.rawItem.type !== 'function_call') continue
      const { name: toolName, callId, arguments: input } = interruption.rawItem
      const decided = context.isToolApproved({ toolName, callId })
      if (decided !== undefined || approval?.tools.includes(toolName) !== true) continue
      const { approved, reason } = await approval.ask({ tool: toolName, input: JSON.parse(input) })
      if (approved) state.approve(interruption)
      else state.reject(interruption, reason === undefined ? {} : { message: reason })
    }
  }

  async function answerAll(answers: readonly ConsentAnswer[]): Promise<RunState<any, any>> {
    const state = waiting ?? (await skills.restore(agent, saved?.state ?? ''))
    waiting = undefined
    await skills.answer(state, answers)
    await approve(state)
    return state
  }

  return {
    async send(text, { signal, answers = [] } = {}) {
      const message: AgentInputItem = { role: 'user', content: text }
      if (waiting === undefined) return run((items = [...items, message]), signal)
      // Who writes on instead of answering has said no.
      const state = await answerAll(answers)
      state.addInput([message])
      return run(state, signal)
    },
    async answer(answers, { signal } = {}) {
      return run(await answerAll(answers), signal)
    },
    save: async () =>
      ({
        items,
        agent: agent.name,
        session: place,
        ...(waiting && { state: waiting.toString() }),
      }) satisfies Saved,
    forget: async () => void (items = []),
    active,
    end,
  }
}
