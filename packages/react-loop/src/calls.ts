import type { ForkRunner, FunctionTool, ToolCall } from '@repertoire/core'
import { failureText, resultText } from '@repertoire/core/adapter'
import { type ApprovalContext, getApproval } from './approval.ts'
import { askForConsent, type ConsentContext } from './consent.ts'
import type { ToolMessage } from './model.ts'

/** What running calls needs. */
export interface CallsContext extends ConsentContext, ApprovalContext {
  readonly tools: ReadonlyMap<string, FunctionTool>
  readonly fork: ForkRunner
}

/**
 * Runs the calls of one message concurrently, after all their consent requests are answered. Never throws for a tool or an
 * abort: each call has a result, in the order of the calls, so that the conversation can continue.
 */
export async function runCalls(context: CallsContext, calls: readonly ToolCall[]): Promise<readonly ToolMessage[]> {
  const { emit } = context
  for (const call of calls) emit({ type: 'tool-call', call })
  await askForConsent(context, calls)
  return Promise.all(
    calls.map(async (call) => {
      const result = await resultOf(context, call)
      emit({ type: 'tool-result', result })
      return result
    }),
  )
}

async function resultOf(context: CallsContext, call: ToolCall): Promise<ToolMessage> {
  const { session, tools, fork, signal } = context
  const run = async (judged: ToolCall): Promise<unknown> => {
    await getApproval(context, judged)
    const { tool, input } = judged
    return tools.get(tool)?.execute(input, { callId: call.id, ...(signal !== undefined && { signal }) })
  }
  try {
    const outcome = await session.call(call, run, { signal, fork })
    const content = outcome.text ?? (outcome.ok ? resultText(outcome.value) : '')
    return { role: 'tool', callId: call.id, tool: call.tool, content, isError: !outcome.ok }
  } catch (error) {
    return failed(call, error)
  }
}

function failed({ id, tool }: ToolCall, error: unknown): ToolMessage {
  return { role: 'tool', callId: id, tool, content: failureText(error), isError: true }
}
