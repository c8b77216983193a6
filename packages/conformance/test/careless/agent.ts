import type { ForkRunner, FunctionTool, Summarizer, ToolCall } from '@repertoire/core'
import {
  adapterSession,
  type AdapterSession,
  argumentsAsObject,
  failureText,
  readArguments,
  resultText,
  type Step,
  subAgentFor,
  UNATTENDED_REASON,
  unfinishedForkError,
  uniqueCallIds,
  type WindowMessage,
} from '@repertoire/core/adapter'

/** Where a model is found. */
interface Endpoint {
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
}

/** What your framework's agent is made of. */
export interface AgentParts {
  readonly endpoint: Endpoint
  readonly session: AdapterSession
  readonly tools: readonly FunctionTool[]
  readonly instructions: string
  readonly maxSteps: number
  /** The schema that answers must follow. */
  readonly output?: object | undefined
  /** The models that skills may name, and the agents that those with `context: fork` may. */
  readonly models?: ReadonlyMap<string, Endpoint> | undefined
  readonly subagents?: Readonly<Record<string, { readonly instructions: string }>> | undefined
  /** Asks a person about the calls of some tools; absent in a sub-agent, which is unattended. */
  readonly approval?: Approval | undefined
  readonly unattended?: boolean
}

interface Approval {
  readonly tools: readonly string[]
  ask(call: ToolCall): Promise<{ readonly approved: boolean; readonly reason?: string }>
}

/** An agent over chat completions, with skills. Every place where the session is called is numbered. */
export function createAgent(parts: AgentParts) {
  const { session, maxSteps } = parts
  let messages: any[] = []

  async function run(text: string, signal?: AbortSignal): Promise<string> {
    messages.push({ role: 'user', content: text })
    // 1. A turn begins with a person's message. What the session says about it follows directly, and is no person's.
    const turn = await session.beginTurn(text, { signal, fork: forkOf(parts) })
    if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text, own: true })
    for (let count = 1; ; count++) {
      const { step, answer } = await callModel(parts, messages, signal)
      const calls = callsOf(answer)
      // Together: where the signal aborts, no call is left without its result.
      messages.push(answer, ...(await carryOut(parts, step, calls, signal)))
      if (calls.length === 0) return answerText(parts, answer)
      // Also of a sub-agent: what it said beside its last calls is not a result.
      if (count === maxSteps) throw unfinishedForkError(maxSteps)
    }
  }

  return {
    run,
    forget(): void {
      messages = []
    },
  }
}

export async function callModel(
  parts: AgentParts,
  conversation: readonly any[],
  signal?: AbortSignal,
): Promise<{ readonly step: Step<Endpoint>; readonly answer: any }> {
  const { tools, instructions, output } = parts
  // 2. A step begins with every model call: the calls of its answer are judged by it. A skill may ask for a model.
  const step = await beginStep(parts)
  const endpoint = step.model ?? parts.endpoint
  // 3. The host's tools that are in reach, and the skill tools after them.
  const offered = [...tools.filter(({ name }) => !step.isHidden(name)), ...step.tools].map(asFunction)
  // 4. The host's instructions with the skills behind them, as much of the conversation as the model's window holds,
  // and
  // what that has lost of active skills.
  const { system = '', messages } = await step.prompt<any>({
    system: step.system(instructions),
    messages: conversation,
    tools: offered.map((tool) => JSON.stringify(tool)),
    describe: asWindowMessage,
    asMessage: (content) => ({ role: 'user', content }),
    summarize: summarizerOf(endpoint),
    signal,
  })
  const { choices, usage } = await ask(endpoint, signal, {
    messages: [{ role: 'system', content: system }, ...messages.map(sentBack)],
    ...(offered.length > 0 && { tools: offered }),
    ...(output && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: output } } }),
  })
  // 5. What the model call took, for the audit's counters.
  step.recordUsage({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })
  return { step, answer: withUniqueIds(choices[0].message, conversation) }
}

/** Begins a step: the calls of the model's answer are judged by it. */
export function beginStep({ endpoint, models, session, tools }: AgentParts): Promise<Step<Endpoint>> {
  return session.step({
    tools: tools.map(({ name }) => name),
    resolveModel: (name) => models?.get(name),
    nameOf: (model = endpoint) => model.model,
  })
}

async function ask({ baseURL, apiKey, model }: Endpoint, signal: AbortSignal | undefined, body: object): Promise<any> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    signal: signal ?? null,
    body: JSON.stringify({ model, ...body }),
  })
  const answer: any = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}

/** The same model writes summaries, without tools. */
function summarizerOf(endpoint: Endpoint): Summarizer {
  return async ({ instructions, prompt }, { signal }) => {
    const asked = [
      { role: 'system', content: instructions },
      { role: 'user', content: prompt },
    ]
    return (await ask(endpoint, signal, { messages: asked })).choices[0].message.content
  }
}

function asWindowMessage(message: any): WindowMessage {
  const { role, content, own, tool_call_id: answered, reasoning_content: hidden } = message
  const answers = answered === undefined ? [] : [answered]
  return { role, text: content ?? '', hidden, calls: callsOf(message), answers, ...(own && { own }) }
}

/** Models repeat ids, or leave them empty; what is judged, agreed to and answered is found by them. */
function withUniqueIds({ tool_calls: calls, ...message }: any, messages: readonly any[]): any {
  const uniqueId = uniqueCallIds(messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }: any) => id)))
  return calls?.length
    ? { ...message, tool_calls: calls.map((each: any) => ({ ...each, id: uniqueId(each.id) })) }
    : message
}

/** With a schema, an answer is a value. */
export function answerText({ output }: Pick<AgentParts, 'output'>, { content, refusal }: any): string {
  return output === undefined ? (content ?? refusal ?? '') : JSON.stringify(JSON.parse(content))
}

export function callsOf({ tool_calls = [] }: any): readonly ToolCall[] {
  return tool_calls.map(({ id, function: { name, arguments: text } }: any) => ({
    id,
    tool: name,
    input: readArguments(text),
  }))
}

/** Carries the calls of one message out side by side. */
export function carryOut(
  parts: AgentParts,
  step: Step<Endpoint>,
  calls: readonly ToolCall[],
  signal?: AbortSignal,
): Promise<any[]> {
  const { tools } = parts
  const run = async (call: ToolCall): Promise<string> => {
    try {
      // 6. Every call passes the session: your tool runs only if it says so, with the input that was judged.
      const execute = async (judged: ToolCall) => {
        await approve(parts, step, judged)
        const tool = tools.find(({ name }) => name === judged.tool)
        return tool?.execute(judged.input, { callId: call.id, ...(signal && { signal }) })
      }
      const outcome = await step.call(call, execute, { signal, fork: forkOf(parts) })
      return outcome.text ?? resultText(outcome.ok ? outcome.value : undefined)
    } catch (error) {
      signal?.throwIfAborted()
      return failureText(error)
    }
  }
  return Promise.all(calls.map(async (call) => ({ role: 'tool', tool_call_id: call.id, content: await run(call) })))
}

/** 7. The host's own approval, if it has any, of a call that the session has allowed by now. */
async function approve(
  { session, approval, unattended = false }: AgentParts,
  step: Step<Endpoint>,
  call: ToolCall,
): Promise<void> {
  if (!approval?.tools.includes(call.tool) || (await step.preview(call)).preapproved) return
  // One question at a time, and about a copy: what was judged is what runs.
  const asked = () => session.question(() => approval.ask(structuredClone(call)))
  const { approved, reason } = unattended ? { approved: false, reason: UNATTENDED_REASON } : await asked()
  if (!approved) throw new Error(`The call was not run: ${reason ?? 'it was not approved'}. Go on without it.`)
}

/** 8. A skill with `context: fork` runs in its own agent, over the session that it is given. */
export function forkOf(parts: AgentParts): ForkRunner {
  const { models, subagents } = parts
  return async (request) => {
    const { system, message, signal } = request
    const session = adapterSession(request.session)
    const { agent, model: endpoint } = subAgentFor(request, {
      subagents,
      resolveModel: (name) => models?.get(name),
      parentModel: parts.endpoint,
    })
    const instructions = agent?.instructions ?? system
    const own = { ...parts, session, endpoint, instructions, unattended: true }
    return createAgent({ ...own, output: undefined }).run(message, signal)
  }
}

/** A server may refuse the whole conversation for one call whose arguments are not a JSON object. */
function sentBack(written: any): any {
  const { tool_calls: calls, own: _, ...message } = written
  if (calls === undefined) return message
  const asObject = (text: string): string => JSON.stringify(argumentsAsObject(readArguments(text)))
  const shown = calls.map((call: any) => {
    return { ...call, function: { ...call.function, arguments: asObject(call.function.arguments) } }
  })
  return { ...message, tool_calls: shown }
}

function asFunction({ name, description, inputSchema }: Pick<FunctionTool, 'name' | 'description' | 'inputSchema'>) {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}
