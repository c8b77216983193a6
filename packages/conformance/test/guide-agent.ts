import { type ForkRunner, failureText, type FunctionTool, readArguments, resultText, type Session, type ToolCall } from '@repertoire/core' // prettier-ignore

/** What your framework's agent is made of. */
export interface AgentParts {
  readonly endpoint: { readonly baseURL: string; readonly apiKey: string; readonly model: string }
  readonly session: Session
  readonly tools: readonly FunctionTool[]
  readonly instructions: string
  readonly maxSteps: number
}

/** An agent over chat completions, with skills. Every place where the session is called is numbered. */
export function createAgent(parts: AgentParts) {
  const { endpoint, session, tools, instructions, maxSteps } = parts
  let messages: any[] = []

  // 7. A skill with `context: fork` runs in an agent of its own, over the session that it is given.
  const fork: ForkRunner = ({ session: child, system, message, signal }) =>
    createAgent({ ...parts, session: child, instructions: system }).run(message, signal)

  async function run(text: string, signal?: AbortSignal): Promise<string> {
    messages.push({ role: 'user', content: text })
    // 1. A turn begins with a person's message. What the session says of it stands right behind.
    const turn = await session.beginTurn(text, { signal, fork })
    if (turn.text !== undefined) messages.push({ role: 'user', content: turn.text })
    for (let step = 1; ; step++) {
      const answer = await callModel(signal)
      messages.push(answer)
      const calls: any[] = answer.tool_calls ?? []
      const results = calls.map(async (call) => ({
        role: 'tool',
        tool_call_id: call.id,
        content: await carryOut(
          { id: call.id, tool: call.function.name, input: readArguments(call.function.arguments) },
          signal,
        ),
      }))
      messages.push(...(await Promise.all(results)))
      if (calls.length === 0) return answer.content ?? ''
      // Also of a sub-agent: what it said beside its last calls is no result.
      if (step === maxSteps) throw new Error(`not done after ${maxSteps} model calls`)
    }
  }

  async function callModel(signal?: AbortSignal): Promise<any> {
    // 2. A step begins with every model call: the calls of its answer are judged by it.
    const view = session.beginStep(
      tools.map(({ name }) => name),
      { model: endpoint.model },
    )
    // 3. The host's instructions with the skills behind them, and what the conversation has lost of active ones.
    const system = view.system(instructions) ?? ''
    const reminder = await session.reminder((lost) => messages.some(({ content }) => content?.includes(lost)))
    // 4. The host's tools that are in reach, and the skill tools after them.
    const offered = [...tools.filter(({ name }) => !view.hides(name)), ...view.tools]
    const response = await fetch(`${endpoint.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${endpoint.apiKey}` },
      signal: signal ?? null,
      body: JSON.stringify({
        model: endpoint.model,
        messages: [{ role: 'system', content: [system, reminder].filter(Boolean).join('\n\n') }, ...messages],
        ...(offered.length > 0 && { tools: offered.map(asFunction) }),
      }),
    })
    const { choices, usage, error }: any = await response.json()
    if (!response.ok) throw new Error(error.message)
    // 5. What the model call took, for the audit's counters.
    session.recordUsage({ inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens })
    return choices[0].message
  }

  async function carryOut(call: ToolCall, signal?: AbortSignal): Promise<string> {
    try {
      // 6. Every call passes the session: your tool runs only if it says so, with the input that was judged.
      const execute = ({ tool, input }: ToolCall) =>
        tools.find(({ name }) => name === tool)?.execute(input, { callId: call.id, ...(signal && { signal }) })
      const outcome = await session.call(call, execute, { signal, fork })
      return outcome.text ?? resultText(outcome.ok ? outcome.value : undefined)
    } catch (error) {
      signal?.throwIfAborted()
      return failureText(error)
    }
  }

  return {
    run,
    forget(): void {
      messages = []
    },
  }
}

function asFunction({ name, description, inputSchema }: Pick<FunctionTool, 'name' | 'description' | 'inputSchema'>) {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}
