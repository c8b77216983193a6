import type { ConsentRequest, ForkRunner, SavedSession, Summarizer, ToolCall, ToolDefinition } from '@repertoire/core'
import * as door from '@repertoire/core/adapter'
import type { AdapterDriver, Conversation, TaskEndpoint, TaskSetup, Turn } from '../driver.ts'

/** A message of chat completions. `own`: the session has said it, in the role of a person. */
interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly own?: true
  readonly reasoning_content?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: Readonly<Record<'name' | 'arguments', string>> }[] // prettier-ignore
}

/** A person's message, or a message of the model with calls, that waits for consent. */
type Waiting = { readonly id: string; readonly text: string } | { readonly calling: Message }

/** A conversation over a session: that of the task, or of a sub-agent in it, which nobody attends. */
interface Talk {
  readonly session: door.AdapterSession
  readonly endpoint: TaskEndpoint
  readonly instructions: string
  readonly attended: boolean
  messages: Message[]
  waiting?: Waiting | undefined
}

interface Saved extends Pick<Talk, 'messages' | 'waiting'> {
  readonly session: SavedSession
}

/**
 * The adapter that others are compared with: a loop over chat completions that does what core says, and nothing else.
 * @param continues whether the session goes on after a run
 */
export function referenceDriver(continues = true): AdapterDriver {
  const capabilities = { suspend: true, resume: true, abort: true, parallelCalls: true, hiding: true, continuation: true, compaction: true, approval: true, handoff: { absent: 'one agent' } } as const // prettier-ignore
  const start = async (task: TaskSetup): Promise<Conversation> => converse(task, continues)
  return { name: 'reference', variants: [{ name: 'json' }], capabilities, start }
}

function converse(task: TaskSetup, continues: boolean): Conversation {
  const { session: options, saved, instructions, endpoint } = task as TaskSetup & { readonly saved?: Saved }
  const open = (from?: SavedSession): Talk['session'] =>
    door.openAdapterSession(task.repertoire, { ...options, hostTools: task.tools.map(({ name }) => name), ...(from && { saved: from }) }) // prettier-ignore
  const { messages = [], waiting } = saved ?? {}
  let talk: Talk = { session: open(saved?.session), endpoint, instructions, attended: true, messages: [...messages], waiting } // prettier-ignore
  let isFresh = true
  return {
    async send(text, { signal } = {}) {
      if (!continues && !isFresh) talk = { ...talk, session: open() }
      isFresh = false
      try {
        // Who writes on instead of answering has said no.
        for (const { id } of talk.session.state.open) talk.session.answer({ requestId: id, approved: false })
        await settle(task, talk, signal)
        talk.waiting = { id: crypto.randomUUID(), text }
        const request = await door.invocationConsentRequest(talk.session, text, talk.waiting.id)
        return request === undefined ? await goOn(task, talk, signal) : { status: 'asking', requests: [request] }
      } finally {
        if (!continues) await talk.session.end()
      }
    },
    answer(answers, { signal } = {}) {
      for (const each of answers) talk.session.answer(each)
      return goOn(task, talk, signal)
    },
    save: async () =>
      ({ session: talk.session.save(), messages: talk.messages, waiting: talk.waiting }) satisfies Saved,
    forget: async () => void (talk.messages = []),
    active: async () => (continues ? talk.session.activeSkills : []),
    end: () => talk.session.end(),
  }
}

/** Calls the model until it answers without calls, or until somebody is asked. */
async function goOn(task: TaskSetup, talk: Talk, signal?: AbortSignal): Promise<Turn> {
  for (let step = 1; ; step++) {
    await settle(task, talk, signal)
    if (step > task.maxSteps) throw door.unfinishedForkError(task.maxSteps)
    const answer = await callModel(task, talk, signal)
    const calls = callsOf(answer)
    if (calls.length === 0) {
      talk.messages.push(answer)
      return { status: 'done', text: answer.content ?? '' }
    }
    talk.waiting = { calling: answer }
    const asked = await Promise.all(calls.map((call) => talk.session.openConsent(call)))
    const requests = asked.filter((request): request is ConsentRequest => request !== undefined)
    if (requests.length > 0) return { status: 'asking', requests }
  }
}

/** Carries out what waited: a person's message, or the calls of one message of the model. */
async function settle(task: TaskSetup, talk: Talk, signal?: AbortSignal): Promise<void> {
  const { waiting, session, messages } = talk
  talk.waiting = undefined
  if (waiting === undefined) return
  if ('calling' in waiting) {
    const results = await Promise.all(callsOf(waiting.calling).map((call) => carryOut(task, talk, call, signal)))
    messages.push(waiting.calling, ...results)
    return
  }
  messages.push({ role: 'user', content: waiting.text })
  const turn = await session.beginTurn(waiting.text, { id: waiting.id, signal, fork: forkOf(task, talk) })
  if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text, own: true })
}

async function callModel(task: TaskSetup, talk: Talk, signal?: AbortSignal): Promise<Message> {
  const { session, endpoint } = talk
  const offered = ({ isHidden, tools }: { isHidden(name: string): boolean; readonly tools: readonly ToolDefinition[] }) =>
    [...task.tools.filter(({ name }) => !isHidden(name)), ...tools].map(({ name, description, inputSchema }) => ({ type: 'function', function: { name, description, parameters: inputSchema } })) // prettier-ignore
  const step = await door.prepareStep<Message, TaskEndpoint>(session, {
    hostTools: task.tools.map(({ name }) => name),
    system: talk.instructions,
    messages: talk.messages,
    textOf: ({ content }) => content ?? '',
    resolveModel: (name) => task.models?.get(name),
    nameOf: (model = endpoint) => model.model,
    window: ({ view, model = endpoint }) => ({
      tools: offered(view).map((tool) => JSON.stringify(tool)),
      describe: (message) => ({ role: message.role as 'user', text: message.content ?? '', calls: callsOf(message), answers: message.tool_call_id === undefined ? [] : [message.tool_call_id], hidden: message.reasoning_content, ...(message.own && { own: true }) }), // prettier-ignore
      asMessage: (content) => ({ role: 'user', content }),
      summarize: summarizerOf(model),
      signal,
    }),
  })
  const tools = offered(step.view)
  const { usage, message } = await ask(step.model ?? endpoint, signal, {
    messages: [{ role: 'system', content: step.system ?? '' }, ...step.messages.map(sentBack)],
    ...(tools.length > 0 && { tools }),
  })
  session.recordUsage({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })
  const uniqueId = door.uniqueCallIds(talk.messages.flatMap((each) => callsOf(each).map(({ id }) => id)))
  const { tool_calls: calls = [], ...said } = message
  return calls.length === 0 ? said : { ...said, tool_calls: calls.map((call) => ({ ...call, id: uniqueId(call.id) })) }
}

async function carryOut(task: TaskSetup, talk: Talk, call: ToolCall, signal?: AbortSignal): Promise<Message> {
  const execute = async (judged: ToolCall): Promise<unknown> => {
    const { approval } = task
    if (approval?.tools.includes(judged.tool) && !(await talk.session.inspect(judged)).preapproved) {
      const { approved, reason } = talk.attended ? await talk.session.question(() => approval.ask(structuredClone(judged))) : { approved: false, reason: door.UNATTENDED_REASON } // prettier-ignore
      if (!approved) throw new Error(`The call was not run: ${reason ?? 'it was not approved'}. Go on without it.`)
    }
    return task.tools.find(({ name }) => name === judged.tool)?.execute(judged.input, { callId: call.id, ...(signal && { signal }) }) // prettier-ignore
  }
  const message = (content: string): Message => ({ role: 'tool', tool_call_id: call.id, content })
  try {
    const outcome = await talk.session.call(call, execute, { signal, fork: forkOf(task, talk) })
    return message(outcome.text ?? door.resultText(outcome.ok ? outcome.value : undefined))
  } catch (error) {
    signal?.throwIfAborted()
    return message(door.failureText(error))
  }
}

/** A skill with `context: fork` runs in the same loop, over the session that it is given. */
function forkOf(task: TaskSetup, { endpoint }: Talk): ForkRunner {
  return async (request) => {
    const session = door.adapterSession(request.session)
    const instructions = door.agentFor(task.subagents, request)?.instructions ?? request.system
    const model = door.modelFor(request, { resolveModel: (name) => task.models?.get(name), agent: undefined, parentModel: endpoint }) // prettier-ignore
    const messages: Message[] = [{ role: 'user', content: request.message }]
    const turn = await goOn(task, { session, endpoint: model, instructions, attended: false, messages }, request.signal)
    return turn.status === 'done' ? turn.text : ''
  }
}

function summarizerOf(endpoint: TaskEndpoint): Summarizer {
  return async ({ instructions, prompt }, { signal }) =>
    (await ask(endpoint, signal, { messages: [{ role: 'system', content: instructions }, { role: 'user', content: prompt }] })).message.content ?? '' // prettier-ignore
}

async function ask({ baseURL, apiKey, model }: TaskEndpoint, signal: AbortSignal | undefined, body: object) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` }
  const response = await fetch(`${baseURL}/chat/completions`, { method: 'POST', headers, signal: signal ?? null, body: JSON.stringify({ model, ...body }) }) // prettier-ignore
  const answer = (await response.json()) as { readonly error: { readonly message: string }; readonly choices: readonly [{ readonly message: Message }]; readonly usage: Readonly<Record<'prompt_tokens' | 'completion_tokens', number>> } // prettier-ignore
  if (!response.ok) throw new Error(answer.error.message)
  return { usage: answer.usage, message: answer.choices[0].message }
}

function callsOf({ tool_calls: calls = [] }: Message): readonly ToolCall[] {
  return calls.map(({ id, function: { name, arguments: text } }) => ({
    id,
    tool: name,
    input: door.readArguments(text),
  }))
}

/** A server may refuse the whole conversation for one call whose arguments are not a JSON object. */
function sentBack({ own: _, tool_calls: calls, ...message }: Message): object {
  const asObject = (text: string): string => JSON.stringify(door.argumentsAsObject(door.readArguments(text)))
  return calls === undefined ? message : { ...message, tool_calls: calls.map((call) => ({ ...call, function: { ...call.function, arguments: asObject(call.function.arguments) } })) } // prettier-ignore
}
