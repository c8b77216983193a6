import type { EncodedMessage } from '../dialect.ts'
import { piecesOf } from '../pieces.ts'
import { countTokens } from '../tokens.ts'
import type { WireCall } from '../wire.ts'

/** The properties shared by all chunks of one answer. */
export interface AnswerHead {
  /** `chatcmpl-…` */
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

/** Token counts as OpenAI words them. */
export interface Usage {
  readonly prompt_tokens: number
  readonly prompt_tokens_details: { readonly cached_tokens: number }
  readonly completion_tokens: number
  readonly completion_tokens_details: { readonly reasoning_tokens: number }
  readonly total_tokens: number
}

/** An answer in one piece. OpenAI API reference, "The chat completion object". */
export function completion(head: AnswerHead, message: EncodedMessage, usage: Usage): unknown {
  const { content, toolCalls = [], reasoning } = message
  return {
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          // OpenAI's own servers withhold it; those of open models send it under this name.
          ...(reasoning !== undefined && { reasoning_content: reasoning.text }),
          ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call) => toolCall(call, call.arguments)) }),
        },
        logprobs: null,
        finish_reason: finishReason(message),
      },
    ],
    usage,
    system_fingerprint: FINGERPRINT,
  }
}

/**
 * The same answer as chunks: the role, the reasoning and the content in pieces, each call's head and then its arguments in pieces, the
 * finish reason and, where it was asked for, the usage. OpenAI API reference, "The chat completion chunk object".
 */
export function completionChunks(head: AnswerHead, message: EncodedMessage, usage: Usage | undefined): unknown[] {
  const chunk = (choices: readonly unknown[], counted: Usage | null = null): unknown => ({
    id: head.id,
    object: 'chat.completion.chunk',
    created: head.created,
    model: head.model,
    system_fingerprint: FINGERPRINT,
    choices,
    ...(usage !== undefined && { usage: counted }),
  })
  const delta = (fields: unknown, finish: string | null = null): unknown =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: finish }])
  const { content, toolCalls = [], reasoning } = message
  return [
    delta({ role: 'assistant', content: content === null ? null : '', refusal: null }),
    ...piecesOf(reasoning?.text ?? '').map((piece) => delta({ reasoning_content: piece })),
    ...piecesOf(content ?? '').map((piece) => delta({ content: piece })),
    ...toolCalls.flatMap((call, index) => [
      delta({ tool_calls: [{ index, ...toolCall(call, '') }] }),
      ...piecesOf(call.arguments).map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    delta({}, finishReason(message)),
    ...(usage === undefined ? [] : [chunk([], usage)]),
  ]
}

/** An error in OpenAI's shape. */
export function errorBody(status: number, message: string, code: string | null = null): unknown {
  return { error: { message, type: errorType(status), param: null, code } }
}

/** Token counts of an exchange. */
export function usageOf(requestBody: unknown, message: EncodedMessage): Usage {
  const { prompt, cached, answer, reasoning } = countTokens(requestBody, message)
  return {
    prompt_tokens: prompt,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: answer,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt + answer,
  }
}

const FINGERPRINT = 'fp_conformance'

function finishReason({ toolCalls = [] }: EncodedMessage): string {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop'
}

function toolCall({ id, tool }: WireCall, text: string): object {
  return { id, type: 'function', function: { name: tool, arguments: text } }
}

function errorType(status: number): string {
  if (status >= 500) return 'server_error'
  return status === 429 ? 'rate_limit_error' : 'invalid_request_error'
}
