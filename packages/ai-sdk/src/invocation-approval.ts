import { type ConsentAnswer, DEFAULT_TOOL_NAMES, type SkillConsentRequest } from '@repertoire/core'
import type { AdapterSession } from '@repertoire/core/adapter'
import {
  dynamicTool,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  wrapLanguageModel,
} from 'ai'
import { partsOf } from './parts.ts'
import { resolveModel } from './wire.ts'

/**
 * AI SDK asks for the approval of tool calls alone. So a person's `/name` that needs consent is asked about as a call
 * that no model wrote. Its id names the turn and the consent request; it is taken out of the messages before a model
 * sees them.
 */
const CALL_ID = /^invocation_(.+)_([0-9a-f]+)$/

/** An agent that calls no model: it ends at once, with an approval request for a person's `/name`. */
export function askingAgent(
  model: LanguageModel,
  { id, callId, skill, args, text }: SkillConsentRequest,
  onEnd: NonNullable<ToolLoopAgentSettings<any, any, any, any>['onEnd']>,
): ToolLoopAgent<any, any, any, any> {
  const toolName = DEFAULT_TOOL_NAMES.activate
  const input = JSON.stringify({ name: skill, ...(args !== undefined && { arguments: args }) })
  const call = { type: 'tool-call' as const, toolCallId: `invocation_${callId}_${id}`, toolName, input }
  const finishReason = { unified: 'tool-calls' as const, raw: undefined }
  return new ToolLoopAgent<any, any, any, any>({
    model: wrapLanguageModel({
      model: resolveModel(model),
      middleware: {
        specificationVersion: 'v4',
        wrapGenerate: async () => ({ content: [call], finishReason, usage: NO_USAGE, warnings: [] }),
        wrapStream: async () => ({
          stream: ReadableStream.from([
            { type: 'stream-start' as const, warnings: [] },
            call,
            { type: 'finish' as const, finishReason, usage: NO_USAGE },
          ]),
        }),
      },
    }),
    tools: { [toolName]: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => undefined }) },
    toolApproval: () => ({ type: 'user-approval', reason: text }),
    onEnd,
  })
}

const NO_TOKENS = { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const NO_USAGE = { inputTokens: NO_TOKENS, outputTokens: { total: 0, text: undefined, reasoning: undefined } }

/** Takes the calls of `askingAgent` out of a conversation, and returns the answers that its last message has to them. */
export function withoutInvocations(messages: readonly ModelMessage[]): {
  readonly messages: ModelMessage[]
  readonly answers: readonly ConsentAnswer[]
} {
  const requests = new Map<string, string>()
  const answers: ConsentAnswer[] = []
  const kept = messages.flatMap((message, index) => {
    const parts = partsOf(message)
    const others = parts.filter((part) => {
      if (part.type === 'tool-approval-response') {
        const requestId = requests.get(part.approvalId)
        if (requestId === undefined) return true
        const { approved, reason } = part
        if (index === messages.length - 1)
          answers.push({ requestId, approved, ...(reason !== undefined && { reason }) })
        return false
      }
      if (!('toolCallId' in part)) return true
      const [, , requestId] = CALL_ID.exec(part.toolCallId) ?? []
      if (requestId !== undefined && part.type === 'tool-approval-request') requests.set(part.approvalId, requestId)
      return requestId === undefined
    })
    if (others.length === parts.length) return [message]
    return others.length === 0 ? [] : [{ ...message, content: others } as ModelMessage]
  })
  return { messages: kept, answers }
}

/** The consent request that a call of `askingAgent` stands for; undefined: it is another call, or waits for none. */
export async function invocationOf(
  session: AdapterSession,
  call: { readonly id: string; readonly input: unknown },
): Promise<ReturnType<AdapterSession['openConsent']>> {
  const [, id] = CALL_ID.exec(call.id) ?? []
  if (id === undefined) return undefined
  const { name: skill, arguments: args } = call.input as { readonly name: string; readonly arguments?: string }
  return session.openConsent({ id, skill, ...(args !== undefined && { args }) })
}
