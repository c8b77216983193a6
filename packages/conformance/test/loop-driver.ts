import type { ConsentRequest, ForkRunner, SavedSession, Summarizer, ToolCall } from '@repertoire/core'
import {
  adapterSession,
  type AdapterSession,
  argumentsAsObject,
  failureText,
  messageCall,
  subAgentFor,
  openAdapterSession,
  readArguments,
  resultText,
  type Step,
  UNATTENDED_REASON,
  uniqueCallIds,
  type WindowMessage,
} from '@repertoire/core/adapter'
import type { AdapterDriver, Conversation, TaskEndpoint, TaskSetup, Turn } from '../src/driver.ts'
import { assemble, readEvents, readJson, type Received } from './chat.ts'
import { geminiBody, readGemini } from './gemini-loop.ts'

/**
 * A small adapter that behaves: a loop over chat completions, once in JSON and once streamed. It also speaks Gemini, in
 * a variant of that name.
 */
export function loopDriver(changes: Partial<AdapterDriver> = {}): AdapterDriver {
  return {
    name: 'loop',
    variants: [{ name: 'json' }, { name: 'sse' }],
    capabilities: {
      suspend: true,
      resume: true,
      abort: true,
      parallelCalls: true,
      hiding: true,
      continuation: true,
      compaction: true,
      approval: true,
      output: { absent: 'The loop gives its model no schema.' },
      handoff: true,
    },
    handoffTool,
    start: async (task) => startLoop(task),
    ...changes,
  }
}

/** The tool that hands over to an agent. */
function handoffTool(agent: string): string {
  return `transfer_to_${agent}`
}

interface SavedLoop {
  readonly session: SavedSession
  readonly messages: readonly ChatMessage[]
  readonly open: readonly ToolCall[]
  readonly waiting?: WaitingTurn
}

/** A message of a person's whose invocation waits for an answer. */
interface WaitingTurn {
  readonly id: string
  readonly text: string
}

/** The body of a request, as far as a broken adapter changes it. */
export interface ChatBody {
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { readonly type: string; readonly function: Readonly<Record<string, unknown>> }[]
  readonly [other: string]: unknown
}

/** A message of a request. */
export type ChatMessage = Readonly<Record<string, unknown>>

/** A conversation over a session: that of the task, or of a sub-agent in it. */
interface Talk {
  readonly session: AdapterSession
  readonly endpoint: TaskEndpoint
  /** Whether somebody is there to be asked: not in a sub-agent. */
  readonly attended: boolean
  /** Replaced when the conversation is handed over. */
  instructions: string
  /** What each agent is told that the conversation can be handed over to, by the tools that do so. */
  readonly agents: ReadonlyMap<string, string>
  messages: ChatMessage[]
  open: readonly ToolCall[]
  /** The step that the open calls are of. Absent: none has begun in this process. */
  step?: Step<TaskEndpoint>
}

/**
 * Sets a conversation of the loop up.
 * @param tamper changes what is sent to the model, for adapters that are broken on purpose
 */
export function startLoop(task: TaskSetup, tamper: (body: ChatBody) => ChatBody = (body) => body): Conversation {
  const { variant, endpoint, repertoire, tools, maxSteps } = task
  const before = task.saved as SavedLoop | undefined
  const hostTools = new Map(tools.map((tool) => [tool.name, tool]))
  const session = openAdapterSession(repertoire, {
    ...task.session,
    hostTools: [...hostTools.keys()],
    saved: before?.session,
  })
  const main: Talk = {
    session,
    endpoint,
    attended: true,
    instructions: task.instructions,
    agents: agentsOf(task),
    messages: [...(before?.messages ?? [])],
    open: before?.open ?? [],
  }
  let waiting = before?.waiting

  async function readAnswer(response: Response): Promise<Received> {
    if (variant === 'gemini') return readGemini(response)
    return variant === 'sse' ? assemble((await readEvents(response)).chunks) : readJson(response)
  }

  const beginStep = ({ session: of, endpoint: own }: Talk): Promise<Step<TaskEndpoint>> =>
    of.step({
      tools: hostTools.keys(),
      resolveModel: (name) => task.models?.get(name),
      nameOf: (model = own) => model.model,
    })

  async function ask(talk: Talk, signal: AbortSignal | undefined): Promise<Received> {
    const step = (talk.step = await beginStep(talk))
    const { baseURL, apiKey, model } = step.model ?? talk.endpoint
    const handoffs = [...talk.agents.keys()].map((name) => ({
      name,
      description: 'Hands over.',
      inputSchema: NO_INPUT,
    }))
    const offered = [...tools.filter(({ name }) => !step.isHidden(name)), ...step.tools, ...handoffs]
    const { system = '', messages } = await step.prompt<ChatMessage>({
      system: step.system(talk.instructions),
      messages: talk.messages,
      tools: offered.map((tool) => JSON.stringify(tool)),
      describe: windowMessage,
      asMessage: (content) => ({ role: 'user', content }),
      summarize: summarizerOf({ baseURL, apiKey, model }),
      signal,
    })
    const isGemini = variant === 'gemini'
    const path = isGemini ? `/v1beta/models/${model}:generateContent` : '/chat/completions'
    const response = await fetch(baseURL + path, {
      method: 'POST',
      headers: isGemini ? { 'x-goog-api-key': apiKey } : { authorization: `Bearer ${apiKey}` },
      signal: signal ?? null,
      body: JSON.stringify(
        (isGemini ? geminiBody : asIs)(
          tamper({
            model,
            messages: [{ role: 'system', content: system }, ...messages.map(unmarked)],
            ...(offered.length > 0 && {
              tools: offered.map(({ name, description, inputSchema }) => ({
                type: 'function',
                function: { name, description, parameters: inputSchema },
              })),
            }),
            stream: variant === 'sse',
            ...(variant === 'sse' && { stream_options: { include_usage: true } }),
          }),
        ),
      ),
    })
    if (!response.ok) throw new Error(`${response.status} ${((await response.json()) as any).error.message}`)
    const received = await readAnswer(response)
    const usage = received.usage as { prompt_tokens: number; completion_tokens: number }
    step.recordUsage({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })
    return received
  }

  /** The host's own approval, of a call that the session allows. */
  async function approve({ session: of, step, attended }: Talk, call: ToolCall): Promise<void> {
    const { approval } = task
    if (approval?.tools.includes(call.tool) !== true || (await step!.preview(call)).preapproved) return
    if (!attended) throw new Error(UNATTENDED_REASON)
    const { approved, reason = 'It was not approved.' } = await of.question(() => approval.ask(structuredClone(call)))
    if (!approved) throw new Error(reason)
  }

  async function carryOut(talk: Talk, call: ToolCall, signal: AbortSignal | undefined): Promise<string> {
    const handedTo = talk.agents.get(call.tool)
    if (handedTo !== undefined) {
      talk.instructions = handedTo
      return 'Handed over.'
    }
    try {
      const outcome = await talk.step!.call(
        call,
        async (judged) => {
          await approve(talk, judged)
          const { id, tool, input } = judged
          return hostTools.get(tool)!.execute(input, { callId: id, ...(signal && { signal }) })
        },
        { signal, fork: forkOf(talk) },
      )
      return outcome.text ?? resultText(outcome.ok ? outcome.value : '')
    } catch (error) {
      // Also of an aborted call: no message goes to a model behind a call without a result.
      return failureText(error)
    }
  }

  /** A skill's sub-agent: the same loop over the session that it is given. */
  const forkOf =
    (talk: Pick<Talk, 'endpoint'>): ForkRunner =>
    async (request) => {
      const { session: child, system, message, signal } = request
      const messages: ChatMessage[] = [{ role: 'user', content: message }]
      const { agent, model } = subAgentFor(request, {
        subagents: task.subagents,
        resolveModel: (name) => task.models?.get(name),
        parentModel: talk.endpoint,
      })
      const instructions = agent?.instructions ?? system
      const turn = await goOn(
        {
          session: adapterSession(child),
          endpoint: model,
          attended: false,
          instructions,
          agents: new Map(),
          messages,
          open: [],
        },
        { signal },
      )
      // A last message that calls is not a result.
      if (messages.at(-1)?.['role'] !== 'assistant') throw new Error('The sub-agent came to no end.')
      return turn.status === 'done' ? turn.text : ''
    }

  async function questions(talk: Talk): Promise<readonly ConsentRequest[]> {
    if (talk.open.length > 0) talk.step ??= await beginStep(talk)
    const previews = await Promise.all(talk.open.map((call) => talk.step!.preview(call, { asks: true })))
    return previews.flatMap(({ waits }) => waits ?? [])
  }

  /** Carries out the calls that wait. */
  async function settle(talk: Talk, signal: AbortSignal | undefined): Promise<void> {
    const calls = talk.open
    if (calls.length > 0) talk.step ??= await beginStep(talk)
    talk.open = []
    const results = await Promise.all(calls.map((call) => carryOut(talk, call, signal)))
    for (const [index, content] of results.entries())
      talk.messages.push({ role: 'tool', tool_call_id: calls[index]!.id, content })
  }

  async function goOn(
    talk: Talk,
    { signal, answered = false }: { readonly signal?: AbortSignal | undefined; readonly answered?: boolean },
  ): Promise<Turn> {
    const { messages } = talk
    for (let step = 0; step <= maxSteps; step += 1) {
      const requests = answered && step === 0 ? [] : await questions(talk)
      if (requests.length > 0) return { status: 'asking', requests }
      await settle(talk, signal)
      if (step === maxSteps) break
      const { content, toolCalls: written, reasoning, parts } = await ask(talk, signal)
      const uniqueId = uniqueCallIds(messages.map((message) => String(message['tool_call_id'])))
      const toolCalls = written.map((call) => ({ ...call, id: uniqueId(call.id) }))
      messages.push({
        role: 'assistant',
        content,
        ...(reasoning !== undefined && { reasoning_content: reasoning }),
        ...(parts !== undefined && { parts }),
        ...(toolCalls.length > 0 && {
          tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(argumentsAsObject(readArguments(text))) },
          })),
        }),
      })
      if (toolCalls.length === 0) return { status: 'done', text: content ?? '' }
      talk.open = toolCalls.map(({ id, name, arguments: text }) => ({ id, tool: name, input: readArguments(text) }))
    }
    return { status: 'done', text: '' }
  }

  async function begin({ id, text }: WaitingTurn, signal?: AbortSignal): Promise<Turn> {
    main.messages.push({ role: 'user', content: text })
    const turn = await session.beginTurn(text, { id, signal, fork: forkOf(main) })
    if (turn.text !== undefined) main.messages.push({ role: 'user', content: turn.text, own: true })
    return goOn(main, { signal })
  }

  return {
    async send(text, { signal, answers = [] } = {}) {
      // To write on is a no.
      for (const each of answers) session.answer(each)
      for (const { id } of session.state.open) session.answer({ requestId: id, approved: false })
      await settle(main, signal)
      const turn = { id: crypto.randomUUID(), text }
      const { waits } = await session.preview(messageCall(turn.id, text), { asks: true })
      if (waits === undefined) return begin(turn, signal)
      waiting = turn
      return { status: 'asking', requests: [waits] }
    },
    answer(answers, { signal } = {}) {
      for (const each of answers) session.answer(each)
      const turn = waiting
      waiting = undefined
      return turn === undefined ? goOn(main, { signal, answered: true }) : begin(turn, signal)
    },
    save: async () =>
      ({
        session: session.save(),
        messages: main.messages,
        open: main.open,
        ...(waiting && { waiting }),
      }) satisfies SavedLoop,
    forget: async () => void (main.messages = []),
    active: async () => session.activeSkills,
    end: () => session.end(),
  }
}

const NO_INPUT = { type: 'object', properties: {} } as const

function agentsOf({ instructions, handoffs }: TaskSetup): Talk['agents'] {
  if (handoffs === undefined) return new Map()
  const agents = Object.entries({ main: { instructions }, ...handoffs })
  return new Map(agents.map(([name, agent]) => [handoffTool(name), agent.instructions]))
}

/** A server is not sent the mark of what the session has said. */
function unmarked(message: ChatMessage): ChatMessage {
  return { ...message, own: undefined }
}

function asIs<T>(body: T): T {
  return body
}

function windowMessage(message: ChatMessage): WindowMessage {
  const {
    role,
    content,
    tool_call_id: answer,
    tool_calls: calls = [],
    reasoning_content: hidden,
    own,
  } = message as {
    readonly role: WindowMessage['role']
    readonly content: string | null
    readonly own?: true
    readonly reasoning_content?: string
    readonly tool_call_id?: string
    readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[]
  }
  return {
    role,
    text: content ?? '',
    calls: calls.map(({ id, function: called }) => ({ id, tool: called.name, input: readArguments(called.arguments) })),
    answers: answer === undefined ? [] : [answer],
    ...(hidden !== undefined && { hidden }),
    ...(own && { own }),
  }
}

function summarizerOf({ baseURL, apiKey, model }: TaskEndpoint): Summarizer {
  return async ({ instructions, prompt }, { signal }) => {
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: prompt },
    ]
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      signal,
      body: JSON.stringify({ model, messages }),
    })
    if (!response.ok) throw new Error(`${response.status}`)
    return (await readJson(response)).content ?? ''
  }
}
