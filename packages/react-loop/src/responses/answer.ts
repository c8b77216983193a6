import { readArguments } from '@repertoire/core/adapter'
import type OpenAI from 'openai'
import type { APIError } from 'openai'
import type { FinishReason, ModelAnswer } from '../model.ts'
import type { AnswerPieces } from '../vendor-model.ts'
import { type OutputItem, providerPart, textOf } from './items.ts'

type Response = OpenAI.Responses.Response

/** What reading an answer needs. */
interface Reading {
  /** The model that was asked. */
  readonly model: string
  readonly ApiError: typeof APIError
}

/** Translates a response and its items to an answer. */
function answerOf(
  { status, incomplete_details: details, usage }: Partial<Response>,
  items: readonly OutputItem[],
  model: string,
): ModelAnswer {
  const text = textOf(items)
  const calls = items.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id ?? '', tool: item.name, input: readArguments(item.arguments ?? '') }]
      : [],
  )
  const counted = usage && { usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } }
  const refusal = refusalOf(items)
  if (text === '' && refusal !== '' && calls.length === 0) {
    return { text: refusal, calls, finishReason: 'refusal', ...counted }
  }
  const isComplete = status !== 'incomplete'
  return {
    text,
    // A call of an incomplete response may itself be incomplete.
    calls: isComplete ? calls : [],
    finishReason: isComplete ? 'stop' : (REASONS.get(details?.reason ?? '') ?? 'other'),
    ...counted,
    ...(items.length > 0 && { provider: providerPart(items, model) }),
  }
}

// OpenAI API reference, "The response object", incomplete_details.
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content-filter'],
])

function refusalOf(items: readonly OutputItem[]): string {
  return items
    .flatMap((item) => (item.type === 'message' ? item.content : []))
    .map((part) => (part.type === 'refusal' ? part.refusal : ''))
    .join('')
}

/**
 * The answer in a response; undefined if it has not ended, or contains no items.
 * @throws {APIError} the response failed
 */
export function readResponse(response: Partial<Response>, { model, ApiError }: Reading): ModelAnswer | undefined {
  if (response.status === 'failed') throw new ApiError(undefined, response.error ?? {}, undefined, undefined)
  const { status, output } = response
  if (!Array.isArray(output) || (status !== 'completed' && status !== 'incomplete')) return undefined
  return answerOf(response, output, model)
}

/** Builds a streamed answer. `add` throws an `APIError` if the response failed. */
export function collectAnswer(reading: Reading): AnswerPieces<OpenAI.Responses.ResponseStreamEvent> {
  const items: OutputItem[] = []
  let ended: Response | undefined
  return {
    add(event) {
      switch (event.type) {
        case 'response.output_text.delta':
          return event.delta
        case 'response.output_item.done':
          items[event.output_index] = event.item
          return ''
        case 'response.completed':
        case 'response.incomplete':
        case 'response.failed':
          ended = event.response
          return ''
        case 'error':
          throw new reading.ApiError(undefined, event, undefined, undefined)
        default:
          return ''
      }
    },
    whole() {
      if (ended === undefined) return undefined
      // Some servers send items only as they are done, and others only at the end.
      const done = Object.values(items)
      return readResponse({ ...ended, ...(done.length > 0 && { output: done }) }, reading)
    },
  }
}
