import type { ForkRunner, SavedSession, ToolCall } from '@repertoire/core'
import * as core from '@repertoire/core/adapter'
import type { AdapterDriver, Conversation, TaskEndpoint, TaskSetup, Turn } from '../driver.ts'
import * as chat from './chat-model.ts'

/** A person's message, or a message of the model with calls, that waits for consent. */
type Waiting = { readonly id: string; readonly text: string } | { readonly calling: chat.Message }

/** An agent over a session: the task's, or a sub-agent's, for which no person answers questions. */
interface Agent extends Pick<TaskSetup, 'endpoint' | 'instructions'> {
  readonly session: core.AdapterSession
  readonly attended: boolean
  messages: chat.Message[]
  waiting?: Waiting | undefined
  step?: core.Step<TaskEndpoint> | undefined
}

/** The adapter that others are compared with: a loop over chat completions. `continues`: its session outlives a run. */
export function referenceDriver(continues = true): AdapterDriver {
  const can = { suspend: true, resume: true, abort: true, parallelCalls: true, hiding: true, compaction: true } as const
  const continuation = continues || { absent: 'A session ends with its run.' }
  const more = { approval: true, output: true, handoff: { absent: 'One agent runs.' } } as const
  const capabilities = { ...can, ...more, continuation }
  return { name: 'core', variants: [{ name: 'json' }], capabilities, start: async (task) => converse(task, continues) }
}

function converse(task: TaskSetup, continues: boolean): Conversation {
  const { saved, messages = [], waiting } = (task.saved ?? {}) as Partial<Agent> & { saved?: SavedSession }
  const open = () => core.openAdapterSession(task.repertoire, { ...task.session, saved })
  let agent: Agent = { ...task, session: open(), attended: true, messages: [...messages], waiting }
  return {
    async send(text, { signal, answers = [] } = {}) {
      if (!continues) agent = { ...agent, session: open(), step: undefined }
      const { session } = agent
      try {
        // Who writes on instead of answering has said no.
        const denied = session.state.open.map(({ id }) => ({ requestId: id, approved: false }))
        for (const each of [...answers, ...denied]) session.answer(each)
        await settle(task, agent, signal)
        agent.waiting = { id: crypto.randomUUID(), text }
        const { waits } = await session.preview(core.messageCall(agent.waiting.id, text), { signal, asks: true })
        return waits === undefined ? await goOn(task, agent, signal) : { status: 'asking', requests: [waits] }
      } finally {
        if (!continues) await session.end()
      }
    },
    answer(answers, { signal } = {}) {
      for (const each of answers) agent.session.answer(each)
      return goOn(task, agent, signal)
    },
    save: async () => ({ saved: agent.session.save(), messages: agent.messages, waiting: agent.waiting }),
    forget: async () => void (agent.messages = []),
    active: async () => (continues ? agent.session.activeSkills : []),
    end: () => agent.session.end(),
  }
}

/** Calls the model until it answers without calls, or until a call has to be asked about. */
async function goOn(task: TaskSetup, agent: Agent, signal?: AbortSignal): Promise<Turn> {
  for (let step = 1; ; step++) {
    await settle(task, agent, signal)
    if (step > task.maxSteps) throw core.unfinishedForkError(task.maxSteps)
    const answer = await callModel(task, agent, signal)
    const calls = chat.callsOf(answer)
    if (calls.length === 0) {
      agent.messages.push(answer)
      return { status: 'done', text: chat.textOf(answer, task.output) }
    }
    agent.waiting = { calling: answer }
    const previews = await Promise.all(calls.map((call) => agent.step!.preview(call, { signal, asks: true })))
    const requests = previews.flatMap(({ waits }) => waits ?? [])
    if (requests.length > 0) return { status: 'asking', requests }
  }
}

/** Carries out what waited: the turn of a person's message, or the calls of one message, side by side. */
async function settle(task: TaskSetup, agent: Agent, signal?: AbortSignal): Promise<void> {
  const { waiting, session, messages } = agent
  agent.waiting = undefined
  agent.step ??= await beginStep(task, agent)
  if (waiting !== undefined && 'calling' in waiting) {
    const results = await Promise.all(chat.callsOf(waiting.calling).map((call) => carryOut(task, agent, call, signal)))
    messages.push(waiting.calling, ...results)
  } else if (waiting !== undefined) {
    messages.push({ role: 'user', content: waiting.text })
    const turn = await session.beginTurn(waiting.text, { id: waiting.id, signal, fork: forkOf(task, agent) })
    if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text, own: true })
  }
}

function beginStep({ tools, models }: TaskSetup, { session, endpoint }: Agent): Promise<core.Step<TaskEndpoint>> {
  return session.step({
    tools: tools.map(({ name }) => name),
    resolveModel: (name) => models?.get(name),
    nameOf: (model = endpoint) => model.model,
  })
}

async function callModel(task: TaskSetup, agent: Agent, signal?: AbortSignal): Promise<chat.Message> {
  const step = (agent.step = await beginStep(task, agent))
  const model = step.model ?? agent.endpoint
  const tools = chat.offeredTools(task.tools, step)
  const prompt = await step.prompt<chat.Message>({
    system: step.system(agent.instructions),
    messages: agent.messages,
    ...chat.windowOf(model, tools, signal),
  })
  const request = { ...prompt, tools, output: task.output }
  const { message, usage } = await chat.callChatModel(model, request, signal)
  step.recordUsage(usage)
  return chat.withUniqueIds(message, agent.messages)
}

/** Every call passes the session: a tool of the host runs only if it says so, with the input that was judged. */
async function carryOut(task: TaskSetup, agent: Agent, call: ToolCall, signal?: AbortSignal): Promise<chat.Message> {
  const execute = async (judged: ToolCall): Promise<unknown> => {
    await approve(task, agent, judged)
    return task.tools.find(({ name }) => name === judged.tool)?.execute(judged.input, { callId: call.id, signal })
  }
  const answer = (content: string): chat.Message => ({ role: 'tool', tool_call_id: call.id, content })
  try {
    const outcome = await agent.step!.call(call, execute, { signal, fork: forkOf(task, agent) })
    return answer(outcome.text ?? core.resultText(outcome.ok ? outcome.value : undefined))
  } catch (error) {
    signal?.throwIfAborted()
    return answer(core.failureText(error))
  }
}

/** The host's own approval: one question at a time, about a copy of what was judged. */
async function approve({ approval }: TaskSetup, { session, step, attended }: Agent, call: ToolCall): Promise<void> {
  if (!approval?.tools.includes(call.tool) || (await step!.preview(call)).preapproved) return
  const ask = () => session.question(() => approval.ask(structuredClone(call)))
  const { approved, reason } = attended ? await ask() : { approved: false, reason: core.UNATTENDED_REASON }
  if (!approved) throw new Error(`The call was not run: ${reason ?? 'it was not approved'}. Go on without it.`)
}

/** A skill with `context: fork` runs in the same loop, over the session that it is given. */
function forkOf(task: TaskSetup, { endpoint: parentModel }: Agent): ForkRunner {
  return async (request) => {
    const resolveModel = (name: string): TaskEndpoint | undefined => task.models?.get(name)
    const choice = { subagents: task.subagents, resolveModel, parentModel }
    const { agent, model: endpoint } = core.subAgentFor(request, choice)
    const instructions = agent?.instructions ?? request.system
    const messages: chat.Message[] = [{ role: 'user', content: request.message }]
    const child = { session: core.adapterSession(request.session), endpoint, instructions, attended: false, messages }
    const end = await goOn({ ...task, output: undefined }, child, request.signal)
    return end.status === 'done' ? end.text : ''
  }
}
