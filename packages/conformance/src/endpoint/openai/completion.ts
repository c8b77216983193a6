import { randomUUID } from 'node:crypto'
import { inEvents, inJson, type WrittenAnswer } from '../answer.ts'
import type { EncodedMessage } from '../dialect.ts'
import { type Fields, isObject } from '../fields.ts'
import { piecesOf } from '../pieces.ts'
import { countTokens } from '../tokens.ts'
import type { WireCall } from '../wire.ts'

/**
 * The answer in one piece, or as chunks: the role, the reasoning and the content in pieces, each call's head and then
 * its arguments in pieces, the finish reason and, if it was asked for, the usage. OpenAI API reference, "The chat
 * completion object", "The chat completion chunk object".
 */
export function writeCompletion(body: Fields, message: EncodedMessage): WrittenAnswer {
  const { content, toolCalls = [], reasoning, end, model = body.model } = message
  const head = {
    id: `chatcmpl-${randomUUID().replaceAll('-', '')}`,
    created: Math.floor(Date.now() / 1000),
    model,
    system_fingerprint: 'fp_conformance',
  }
  const usage = usageOf(body, message)
  const finish = end === 'length' ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop'
  if (body.stream !== true) {
    const said = {
      role: 'assistant',
      ...(end === 'refusal' ? { content: null, refusal: content } : { content, refusal: null }),
      // OpenAI's own servers withhold it; those of open models send it under this name.
      ...(reasoning !== undefined && { reasoning_content: reasoning.text }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => toolCall(call, call.arguments)) }),
    }
    const choices = [{ index: 0, message: said, logprobs: null, finish_reason: finish }]
    return inJson({ ...head, object: 'chat.completion', choices, usage })
  }
  const wantsUsage = isObject(body.stream_options) && body.stream_options.include_usage === true
  const chunk = (choices: readonly unknown[], counted: Fields | null = null): Fields => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...(wantsUsage && { usage: counted }),
  })
  const delta = (fields: unknown, reason: string | null = null): Fields =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: reason }])
  const kind = end === 'refusal' ? 'refusal' : 'content'
  const written = inEvents(
    [
      delta({ role: 'assistant', content: content === null ? null : '', refusal: null }),
      ...piecesOf(reasoning?.text ?? '').map((piece) => delta({ reasoning_content: piece })),
      ...piecesOf(content ?? '').map((piece) => delta({ [kind]: piece })),
      ...toolCalls.flatMap((call, index) => [
        delta({ tool_calls: [{ index, ...toolCall(call, '') }] }),
        ...piecesOf(call.arguments).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]),
    ],
    [delta({}, finish), ...(wantsUsage ? [chunk([], usage)] : [])],
  )
  return { ...written, end: [...written.end, 'data: [DONE]\n\n'] }
}

function toolCall({ id, tool }: WireCall, text: string): object {
  return { id, type: 'function', function: { name: tool, arguments: text } }
}

function usageOf(body: Fields, message: EncodedMessage): Fields {
  const { prompt, cached, answer, reasoning } = countTokens(body, message)
  return {
    prompt_tokens: prompt,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: answer,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + answer,
  }
}
