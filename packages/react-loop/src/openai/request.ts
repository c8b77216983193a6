import type { ToolCall } from '@repertoire/core'
import { argumentsAsObject } from '@repertoire/core/adapter'
import type OpenAI from 'openai'
import type { Message, ModelRequest } from '../model.ts'
import { keptExtras, keptReasoning } from './reasoning.ts'

type RequestBody = Pick<OpenAI.Chat.ChatCompletionCreateParams, 'messages' | 'tools' | 'stop'>

/** A request in the format of chat completions. */
export function requestBody({ system, messages, tools, stop }: ModelRequest, model: string): RequestBody {
  return {
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.map((message) => wireMessage(message, model)),
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function' as const,
        function: { name, description, parameters: inputSchema },
      })),
    }),
    ...(stop !== undefined && { stop: [...stop] }),
  }
}

function wireMessage(message: Message, model: string): OpenAI.Chat.ChatCompletionMessageParam {
  if (message.role === 'user') return { role: 'user', content: message.content }
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  const { content, calls = [] } = message
  const reasoning = keptReasoning(message, model)
  if (calls.length === 0) return { role: 'assistant', content, ...reasoning }
  const extras = keptExtras(message, model)
  const wireCalls = calls.map((call, n) => ({
    ...wireCall(call),
    ...(extras[n] != null && { extra_content: extras[n] }),
  }))
  return { role: 'assistant', content: content === '' ? null : content, ...reasoning, tool_calls: wireCalls }
}

function wireCall({ id, tool, input }: ToolCall): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(argumentsAsObject(input)) } }
}
