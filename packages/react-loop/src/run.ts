import type { StepView } from '@repertoire/core'
import { DEFAULT_SUB_AGENT_STEPS } from '@repertoire/core/adapter'
import { runCalls } from './calls.ts'
import { openCalls, withUniqueIds } from './conversation.ts'
import { forkRunner } from './fork.ts'
import type { Message, Model, ModelAnswer, Usage } from './model.ts'
import { callModel, withReminder } from './model-call.ts'
import type { ReActLoopOptions, Runner } from './options.ts'
import { nativeProtocol } from './protocol/native.ts'
import { textProtocol } from './protocol/text.ts'
import { byName, shownTools } from './tools.ts'
import { beginTurn } from './turn.ts'
import { fitted, summarizerOf } from './window.ts'

/**
 * Creates the function that runs a loop.
 * @param canAsk whether a person can be asked; false in a sub-agent
 * @throws {TypeError} as `createReActLoop`
 */
export function createRunner(options: ReActLoopOptions, { canAsk }: { readonly canAsk: boolean }): Runner {
  const { model, session, instructions, onConsent, agents, approve, needsApproval } = options
  const protocol = options.protocol === 'text' ? textProtocol : nativeProtocol
  const { maxSteps = DEFAULT_SUB_AGENT_STEPS } = options
  const tools = byName(options.tools ?? [])
  for (const agent of Object.values(agents ?? {})) byName(agent.tools ?? [])
  if (needsApproval !== undefined && approve === undefined) {
    throw new TypeError('There is `needsApproval`, and nobody to ask. Give `approve` too.')
  }
  const approval = { approve, needsApproval, canAsk }
  const createForkLoop = (forkOptions: ReActLoopOptions): Runner => createRunner(forkOptions, { canAsk: false })

  return async (input, run) => {
    const { signal, onMessage, streamed, emit } = run
    const messages: Message[] = typeof input === 'string' ? [] : [...input]
    const add = (message: Message): void => {
      messages.push(message)
      onMessage?.(message)
    }
    const fork = forkRunner(options, { streamed, emit, createForkLoop })
    const context = { session, tools, onConsent, ...approval, fork, signal, emit }
    const observe = async (calls: ModelAnswer['calls']): Promise<void> => {
      for (const result of await runCalls(context, calls)) add(result)
      signal?.throwIfAborted()
    }

    if (typeof input === 'string') add({ role: 'user', content: input })
    if (messages.length === 0)
      throw new TypeError('There are no messages to answer. Give a text or at least one message.')
    const pending = openCalls(messages)
    const beginStep = (): { readonly view: StepView; readonly used: Model } => {
      const used = session.skillModel(options.resolveModel) ?? model
      return { view: session.beginStep(tools.keys(), { model: used.name }), used }
    }
    beginStep()
    if (pending.length > 0) await observe(pending)
    const sessionMessage = await beginTurn(context, messages)
    if (sessionMessage !== undefined) add(sessionMessage)
    let usage: Usage = { inputTokens: 0, outputTokens: 0 }
    for (let step = 1; ; step++) {
      signal?.throwIfAborted()
      await session.ready()
      const { view, used } = beginStep()
      emit({ type: 'step-start', step })
      const shown = { system: view.system(instructions), messages, tools: shownTools(tools, view) }
      const sent = await fitted(session, shown, summarizerOf(used, protocol), signal)
      const system = await withReminder(session, sent)
      const answer = await callModel(used, protocol, protocol.request(system, sent.messages, shown.tools), run)
      session.recordUsage(answer.usage ?? {})
      // A truncated answer is not acted on, even if a call in it looks complete.
      const isWhole = answer.finishReason !== 'length' && answer.finishReason !== 'content-filter'
      const pendingIds = session.state.open.map(({ callId }) => callId)
      const calls = isWhole ? withUniqueIds(answer.calls, messages, pendingIds) : []
      const { text, finishReason, provider } = answer
      if (text !== '' || calls.length > 0) {
        add({ role: 'assistant', content: text, ...(calls.length > 0 && { calls }), ...(provider && { provider }) })
      }
      if (calls.length > 0) await observe(calls)
      usage = sum(usage, answer.usage)
      emit({ type: 'step-end', step, finishReason, ...(answer.usage !== undefined && { usage: answer.usage }) })
      if (calls.length === 0) return { text, messages, steps: step, finishReason, usage }
      if (step >= maxSteps) return { text, messages, steps: step, finishReason: 'max-steps', usage }
    }
  }
}

function sum(a: Usage, b: Usage | undefined): Usage {
  return { inputTokens: a.inputTokens + (b?.inputTokens ?? 0), outputTokens: a.outputTokens + (b?.outputTokens ?? 0) }
}
