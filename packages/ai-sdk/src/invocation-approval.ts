import {
  clientConsentRequest,
  type ConsentAnswer,
  DEFAULT_TOOL_NAMES,
  type Outcome,
  type SkillConsentRequest,
  type ToolCall,
} from '@repertoire/core'
import { messageCall } from '@repertoire/core/adapter'
import {
  dynamicTool,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  type StreamTextTransform,
  type TextStreamPart,
  type ToolCallPart,
  ToolLoopAgent,
  type ToolLoopAgentSettings,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import { consentMetadata } from './consent-parts.ts'
import { partsOf } from './parts.ts'
import { RefusedCallError } from './refused-call.ts'
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
  request: SkillConsentRequest,
  onEnd: NonNullable<ToolLoopAgentSettings<any, any, any, any>['onEnd']>,
): ToolLoopAgent<any, any, any, any> {
  const { id, callId, skill, args } = request
  const toolName = DEFAULT_TOOL_NAMES.activate
  const input = JSON.stringify({ name: skill, arguments: args })
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
    tools: {
      [toolName]: dynamicTool({
        inputSchema: jsonSchema({ type: 'object' }),
        execute: () => undefined,
        metadata: consentMetadata(request),
        // For version 6, which has no `toolApproval`.
        needsApproval: true,
      }),
    },
    toolApproval: () => ({ type: 'user-approval', reason: clientConsentRequest(request).text }),
    onEnd,
    onFinish: onEnd,
  })
}

const NO_TOKENS = { total: 0, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
const NO_USAGE = { inputTokens: NO_TOKENS, outputTokens: { total: 0, text: undefined, reasoning: undefined } }

type StreamPart = TextStreamPart<ToolSet>

/** A call of `askingAgent` with the answer of a person. */
export interface AnsweredInvocation {
  readonly call: ToolCallPart
  readonly answer: ConsentAnswer
}

/** Takes the calls of `askingAgent` out of a conversation, and returns those that its last message answers. */
export function withoutInvocations(messages: readonly ModelMessage[]): {
  readonly messages: ModelMessage[]
  readonly answered: readonly AnsweredInvocation[]
} {
  const calls = new Map<string, ToolCallPart>()
  const asked = new Map<string, { readonly call: ToolCallPart; readonly requestId: string }>()
  const answered: AnsweredInvocation[] = []
  const kept = messages.flatMap((message, index) => {
    const parts = partsOf(message)
    const others = parts.filter((part) => {
      if (part.type === 'tool-approval-response') {
        const of = asked.get(part.approvalId)
        if (of === undefined) return true
        const { approved, reason } = part
        const answer = { requestId: of.requestId, approved, reason }
        if (index === messages.length - 1) answered.push({ call: of.call, answer })
        return false
      }
      if (!('toolCallId' in part)) return true
      const [, , requestId] = CALL_ID.exec(part.toolCallId) ?? []
      if (requestId === undefined) return true
      if (part.type === 'tool-call') calls.set(part.toolCallId, part)
      const call = calls.get(part.toolCallId)
      if (part.type === 'tool-approval-request' && call !== undefined) asked.set(part.approvalId, { call, requestId })
      return false
    })
    if (others.length === parts.length) return [message]
    return others.length === 0 ? [] : [{ ...message, content: others } as ModelMessage]
  })
  return { messages: kept, answered }
}

/** Returns what a call stands for where it is one of `askingAgent`: a person's message. Any other call is itself. */
export function meantCall(call: ToolCall): ToolCall {
  const [, turn] = CALL_ID.exec(call.id) ?? []
  if (turn === undefined) return call
  const { name, arguments: args } = call.input as { readonly name: string; readonly arguments?: string }
  return messageCall(turn, args === undefined ? `/${name}` : `/${name} ${args}`)
}

/**
 * Ends the calls that stand for an answered `/name`, before the first step: AI SDK does not know them, and a page would
 * show them as answered and not used for ever.
 * @param outcomeOf the outcome of the `/name`; undefined: it is asked about again, since its folder has changed
 */
export function invocationEnds(
  answered: readonly AnsweredInvocation[],
  outcomeOf: () => Outcome | undefined,
): StreamTextTransform<ToolSet> {
  let isOver = false
  return () =>
    new TransformStream<StreamPart, StreamPart>({
      transform(part, controller) {
        if (part.type === 'start-step' && !isOver) {
          isOver = true
          for (const each of answered) controller.enqueue(endOf(each, outcomeOf()))
        }
        controller.enqueue(part)
      },
    })
}

function endOf({ call, answer }: AnsweredInvocation, outcome: Outcome | undefined): StreamPart {
  const { toolCallId, toolName, input } = call
  if (!answer.approved) return { type: 'tool-output-denied', toolCallId, toolName }
  const ended = { toolCallId, toolName, input, dynamic: true } as const
  // The model reads the skill's text elsewhere, and a browser need not.
  if (outcome?.ok === true) return { type: 'tool-result', ...ended, output: null }
  const error = outcome === undefined ? new Error(CHANGED) : new RefusedCallError(outcome)
  return { type: 'tool-error', ...ended, error }
}

const CHANGED = 'The skill has changed since this question, so the answer does not count.'
