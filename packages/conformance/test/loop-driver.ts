import { type ConsentRequest, resultText, type ToolCall } from '@repertoire/core'
import type { AdapterDriver, Conversation, TaskSetup, Turn } from '../src/driver.ts'
import { assemble, readEvents, readJson, type Received } from './chat.ts'

/** A small adapter that behaves: a loop over chat completions, once in JSON and once streamed. */
export function loopDriver(changes: Partial<AdapterDriver> = {}): AdapterDriver {
  return {
    name: 'loop',
    variants: [{ name: 'json' }, { name: 'sse' }],
    capabilities: { suspend: true, resume: true, abort: true, parallelCalls: true, hiding: true },
    start: async (task) => startLoop(task),
    ...changes,
  }
}

interface SavedLoop {
  readonly session: NonNullable<TaskSetup['session']['saved']>
  readonly messages: readonly unknown[]
  readonly open: readonly ToolCall[]
}

/** The body of a request, as far as a broken adapter changes it. */
export interface ChatBody {
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly { readonly type: string; readonly function: Readonly<Record<string, unknown>> }[]
  readonly [other: string]: unknown
}

/** A message of a request. */
export type ChatMessage = Readonly<Record<string, unknown>>

/**
 * Sets a conversation of the loop up.
 * @param tamper changes what is sent to the model, for adapters that are broken on purpose
 */
export function startLoop(
  { variant, endpoint, repertoire, session: options, instructions, tools, maxSteps, saved }: TaskSetup,
  tamper: (body: ChatBody) => ChatBody = (body) => body,
): Conversation {
  const before = saved as SavedLoop | undefined
  const session = repertoire.openSession(before === undefined ? options : { ...options, saved: before.session })
  const messages: unknown[] = [...(before?.messages ?? [])]
  let open: readonly ToolCall[] = before?.open ?? []
  const hostTools = new Map(tools.map((tool) => [tool.name, tool]))

  async function ask(signal: AbortSignal | undefined): Promise<Received> {
    const view = session.beginStep(hostTools.keys())
    const offered = [...tools.filter(({ name }) => !view.hides(name)), ...view.tools]
    const response = await fetch(`${endpoint.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${endpoint.apiKey}` },
      signal: signal ?? null,
      body: JSON.stringify(
        tamper({
          model: endpoint.model,
          messages: [{ role: 'system', content: view.system(instructions) ?? '' }, ...(messages as ChatMessage[])],
          ...(offered.length > 0 && {
            tools: offered.map(({ name, description, inputSchema }) => ({
              type: 'function',
              function: { name, description, parameters: inputSchema },
            })),
          }),
          stream: variant === 'sse',
        }),
      ),
    })
    if (!response.ok) throw new Error(`${response.status} ${((await response.json()) as any).error.message}`)
    return variant === 'sse' ? assemble((await readEvents(response)).chunks) : readJson(response)
  }

  async function carryOut(call: ToolCall, signal: AbortSignal | undefined): Promise<string> {
    try {
      const outcome = await session.call(
        call,
        ({ id, tool, input }) => hostTools.get(tool)!.execute(input, { callId: id, ...(signal && { signal }) }),
        { signal },
      )
      return outcome.text ?? resultText(outcome.ok ? outcome.value : '')
    } catch (error) {
      signal?.throwIfAborted()
      return error instanceof Error ? error.message : String(error)
    }
  }

  async function questions(): Promise<readonly ConsentRequest[]> {
    const asked = await Promise.all(open.map((call) => session.consentFor(call)))
    return asked.filter((request) => request !== undefined)
  }

  async function goOn(answered: boolean, signal?: AbortSignal): Promise<Turn> {
    for (let step = 0; step <= maxSteps; step += 1) {
      const requests = answered && step === 0 ? [] : await questions()
      if (requests.length > 0) return { status: 'asking', requests }
      const calls = open
      open = []
      const results = await Promise.all(calls.map((call) => carryOut(call, signal)))
      for (const [index, content] of results.entries())
        messages.push({ role: 'tool', tool_call_id: calls[index]!.id, content })
      if (step === maxSteps) break
      const { content, toolCalls } = await ask(signal)
      messages.push({
        role: 'assistant',
        content,
        ...(toolCalls.length > 0 && {
          tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
            id,
            type: 'function',
            function: { name, arguments: text },
          })),
        }),
      })
      if (toolCalls.length === 0) return { status: 'done', text: content ?? '' }
      open = toolCalls.map(({ id, name, arguments: text }) => ({ id, tool: name, input: parsed(text) }))
    }
    return { status: 'done', text: '' }
  }

  return {
    send(text, { signal } = {}) {
      messages.push({ role: 'user', content: text })
      return goOn(false, signal)
    },
    answer(verdicts) {
      for (const verdict of verdicts) session.answer(verdict)
      return goOn(true)
    },
    save: async () => ({ session: session.save(), messages, open }) satisfies SavedLoop,
    active: async () => session.state.active.map(({ name }) => name),
    end: () => session.end(),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
