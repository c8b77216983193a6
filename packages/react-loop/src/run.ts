import {
  type ConsentRequest,
  type FunctionTool,
  type StepView,
  type ToolCall,
  type ToolDefinition,
  showName,
} from '@repertoire/core'
import {
  adapterSession,
  DEFAULT_SUB_AGENT_STEPS,
  failureText,
  resultText,
  type StepCalls,
} from '@repertoire/core/adapter'
import { openCalls, withUniqueIds } from './conversation.ts'
import { forkRunner } from './fork.ts'
import type { Message, ModelAnswer, ToolMessage, Usage, UserMessage } from './model.ts'
import { callModel } from './model-call.ts'
import type { ReActLoopOptions, RunContext, Runner } from './options.ts'
import { nativeProtocol } from './protocol/protocol.ts'
import { textProtocol } from './protocol/text.ts'
import { summarizerOf, WINDOW_MESSAGES } from './window.ts'
import { requestsOfCalls } from './consent.ts'
import type { LoopResult } from './events.ts'
import { getApproval } from './approval.ts'

/**
 * Creates the function that runs a loop.
 * @param canAsk whether a person can be asked; false in a sub-agent
 * @throws {TypeError} as `createReActLoop`
 */
export function createRunner(options: ReActLoopOptions, { canAsk }: { readonly canAsk: boolean }): Runner {
  const { model, instructions, subagents = {}, approve, needsApproval } = options
  const session = adapterSession(options.session)
  const protocol = options.protocol === 'text' ? textProtocol : nativeProtocol
  const { maxSteps = DEFAULT_SUB_AGENT_STEPS } = options
  const tools = byName(options.tools ?? [])
  for (const agent of Object.values(subagents)) byName(agent.tools ?? [])
  if (needsApproval !== undefined && approve === undefined) {
    throw new TypeError('`needsApproval` needs `approve`, the function that asks. Pass both.')
  }
  const createForkLoop = (forkOptions: ReActLoopOptions): Runner => createRunner(forkOptions, { canAsk: false })

  return async (input, run) => {
    const { signal, answers = [], onMessage, emit } = run
    const messages: Message[] = typeof input === 'string' ? [] : [...input]
    const add = (message: Message): void => {
      messages.push(message)
      onMessage?.(message)
    }
    const fork = forkRunner(options, run, createForkLoop)
    const context: RunContext = { session, tools, approve, needsApproval, canAsk, fork, signal, emit }
    const beginStep = () =>
      session.step({
        tools: tools.keys(),
        resolveModel: options.resolveModel,
        nameOf: (asked = model) => asked.name,
      })
    /** Carries the calls of a step out, or returns the consent requests that they wait for. */
    const observe = async (of: StepCalls, calls: ModelAnswer['calls']): Promise<readonly ConsentRequest[]> => {
      for (const call of calls) emit({ type: 'tool-call', call })
      const requests = await requestsOfCalls(context, of, calls)
      if (requests.length === 0) for (const result of runCalls(context, of, calls)) add(await result)
      signal?.throwIfAborted()
      return requests
    }
    const waiting = (
      requests: readonly ConsentRequest[],
      so: Pick<LoopResult, 'text' | 'steps' | 'usage'>,
    ): LoopResult => {
      for (const request of requests) emit({ type: 'consent-request', request })
      return { ...so, messages, finishReason: 'consent', consentRequests: requests }
    }

    if (typeof input === 'string') add({ role: 'user', content: input })
    if (messages.length === 0)
      throw new TypeError('There are no messages to answer. Give a text or at least one message.')
    const pending = openCalls(messages)
    for (const answer of answers) session.answer(answer)
    let usage: Usage = { inputTokens: 0, outputTokens: 0 }
    // Before the turn too: a sub-agent that it begins sees the host's tools.
    const first = await beginStep()
    const turn = pending.length > 0 ? { requests: await observe(first, pending) } : await beginTurn(context, messages)
    if (turn.requests.length > 0) return waiting(turn.requests, { text: '', steps: 0, usage })
    if (turn.message !== undefined) add(turn.message)
    for (let step = 1; ; step++) {
      signal?.throwIfAborted()
      emit({ type: 'step-start', step })
      const begun = await beginStep()
      const [used, offered] = [begun.model ?? model, shownTools(tools, begun)]
      const sent = await begun.prompt({
        system: begun.system(instructions),
        messages,
        ...WINDOW_MESSAGES,
        tools: offered.map((tool) => JSON.stringify(tool)),
        summarize: summarizerOf(used, protocol),
        signal,
      })
      const answer = await callModel(used, protocol, protocol.request(sent.system, sent.messages, offered), run)
      begun.recordUsage(answer.usage ?? {})
      // A truncated answer is not acted on, even if a call in it looks complete.
      const isWhole = answer.finishReason !== 'length' && answer.finishReason !== 'content-filter'
      const pendingIds = session.state.open.map(({ callId }) => callId)
      const calls = isWhole ? withUniqueIds(answer.calls, messages, pendingIds) : []
      const { text, finishReason, provider } = answer
      if (text !== '' || calls.length > 0) {
        add({ role: 'assistant', content: text, ...(calls.length > 0 && { calls }), provider })
      }
      const requests = calls.length > 0 ? await observe(begun, calls) : []
      usage = sum(usage, answer.usage)
      emit({ type: 'step-end', step, finishReason, usage: answer.usage })
      if (requests.length > 0) return waiting(requests, { text, steps: step, usage })
      if (calls.length === 0) return { text, messages, steps: step, finishReason, usage }
      if (step >= maxSteps) return { text, messages, steps: step, finishReason: 'max-steps', usage }
    }
  }
}

function sum(a: Usage, b: Usage | undefined): Usage {
  return { inputTokens: a.inputTokens + (b?.inputTokens ?? 0), outputTokens: a.outputTokens + (b?.outputTokens ?? 0) }
}

/** @throws {TypeError} two tools have one name */
function byName(tools: readonly FunctionTool[]): ReadonlyMap<string, FunctionTool> {
  const named = new Map(tools.map((tool) => [tool.name, tool]))
  const [twice] = tools.filter((tool) => named.get(tool.name) !== tool)
  if (twice !== undefined) throw new TypeError(`Two tools are named "${showName(twice.name)}". Give each its own name.`)
  return named
}

/** The tools offered in one step: the host's tools that are allowed, and the skill tools. */
function shownTools(tools: ReadonlyMap<string, FunctionTool>, view: StepView): readonly ToolDefinition[] {
  const offered = [...tools.values()].filter(({ name }) => !view.isHidden(name))
  return [...offered, ...view.tools].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
}

/**
 * Begins a turn of the session with the last message of a conversation, if a person wrote it and it waits for no
 * consent. Returns what the turn waits for, and what the session adds directly after the message, if not yet there.
 * @throws the signal's reason
 */
async function beginTurn(
  context: RunContext,
  messages: readonly Message[],
): Promise<{ readonly requests: readonly ConsentRequest[]; readonly message?: UserMessage }> {
  const { session, signal, fork } = context
  const message = messages.at(-1)
  if (!isPersons(message)) return { requests: [] }
  signal?.throwIfAborted()
  // Derived from its position: a conversation that was stored while it waited for consent finds the answer to its
  // request.
  const id = `message_${messages.filter(isPersons).length}`
  const { text, waits } = await session.beginTurn(message.content, { id, signal, fork, canWait: true })
  if (waits !== undefined) return { requests: [waits] }
  return { requests: [], message: text === undefined ? undefined : { role: 'user', content: text, from: 'skills' } }
}

function isPersons(message: Message | undefined): message is UserMessage {
  return message?.role === 'user' && message.from !== 'skills'
}

/**
 * Runs the calls of one message concurrently. Never throws for a tool or an abort: each call has a result, in the order
 * of the calls, so that the conversation can continue.
 */
function runCalls(context: RunContext, step: StepCalls, calls: readonly ToolCall[]): readonly Promise<ToolMessage>[] {
  return calls.map(async (call) => {
    const result = await resultOf(context, step, call)
    context.emit({ type: 'tool-result', result })
    return result
  })
}

async function resultOf(context: RunContext, step: StepCalls, call: ToolCall): Promise<ToolMessage> {
  const { tools, fork, signal } = context
  const run = async (judged: ToolCall): Promise<unknown> => {
    await getApproval(context, step, judged)
    const { tool, input } = judged
    return tools.get(tool)?.execute(input, { callId: call.id, signal })
  }
  try {
    const outcome = await step.call(call, run, { signal, fork })
    const content = outcome.text ?? (outcome.ok ? resultText(outcome.value) : '')
    return { role: 'tool', callId: call.id, tool: call.tool, content, isError: !outcome.ok }
  } catch (error) {
    return failed(call, error)
  }
}

function failed({ id, tool }: ToolCall, error: unknown): ToolMessage {
  return { role: 'tool', callId: id, tool, content: failureText(error), isError: true }
}
