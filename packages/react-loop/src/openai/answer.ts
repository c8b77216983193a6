import { readArguments } from '@repertoire/core/adapter'
import type OpenAI from 'openai'
import type { FinishReason, ModelAnswer } from '../model.ts'
import type { AnswerPieces } from '../vendor-model.ts'
import { keptPart, type Reasoning, reasoningPieces } from './reasoning.ts'

interface WireCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  readonly extra: unknown
}

/** An assistant's message that was read from an answer, or built from the pieces of a stream. */
interface WireAnswer {
  readonly content: string
  readonly refusal: string
  readonly reasoning: Reasoning
  readonly calls: readonly WireCall[]
  readonly finishReason: string
  readonly usage: OpenAI.CompletionUsage | null | undefined
}

/** Translates a message, streamed or not, to an answer. */
function answerOf({ content, refusal, reasoning, calls, finishReason, usage }: WireAnswer, model: string): ModelAnswer {
  const provider = keptPart(
    reasoning,
    calls.map(({ extra }) => extra),
    model,
  )
  const declined = content === '' && refusal !== '' && calls.length === 0
  return {
    text: declined ? refusal : content,
    calls: calls.map((call) => ({ id: call.id, tool: call.name, input: readArguments(call.arguments) })),
    finishReason: declined ? 'refusal' : (REASONS.get(finishReason) ?? 'other'),
    ...(usage && { usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } }),
    provider,
  }
}

// OpenAI API reference, "The chat completion object", finish_reason. Many servers send `stop` with calls.
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
])

/**
 * The answer in a response; undefined if it contains no message.
 * @param model the one that was asked
 */
export function readCompletion({ choices, usage }: OpenAI.Chat.ChatCompletion, model: string): ModelAnswer | undefined {
  const choice = choices?.[0]
  if (choice?.message === undefined) return undefined
  const { content, refusal, tool_calls: calls } = choice.message
  const reasoning = reasoningPieces()
  reasoning.add(choice.message)
  return answerOf(
    {
      content: content ?? '',
      refusal: refusal ?? '',
      reasoning: reasoning.whole,
      calls: (calls ?? []).flatMap((call) =>
        call.type === 'custom'
          ? []
          : [
              {
                id: call.id ?? '',
                name: call.function.name,
                arguments: call.function.arguments ?? '',
                extra: extraOf(call),
              },
            ],
      ),
      finishReason: choice.finish_reason,
      usage,
    },
    model,
  )
}

/**
 * Builds a streamed answer.
 * @param model the one that was asked
 */
export function collectAnswer(model: string): AnswerPieces<OpenAI.Chat.ChatCompletionChunk> {
  let content = ''
  let refusal = ''
  let finishReason: string | undefined
  let usage: OpenAI.CompletionUsage | null | undefined
  const reasoning = reasoningPieces()
  const calls: { readonly index: number | undefined; id: string; name: string; arguments: string; extra: unknown }[] =
    []

  function addCall(piece: OpenAI.Chat.ChatCompletionChunk.Choice.Delta.ToolCall): void {
    const { index, id = '', function: called } = piece
    let call = calls.findLast((known) => index === undefined || known.index === index)
    // Some servers send index 0 for every call, or none, and distinguish calls only by their ids.
    if (call === undefined || (id !== '' && call.id !== '' && id !== call.id)) {
      call = { index, id, name: '', arguments: '', extra: undefined }
      calls.push(call)
    }
    if (call.id === '') call.id = id
    // The name is never split, and some servers repeat it with every piece.
    if (call.name === '') call.name = called?.name ?? ''
    call.arguments += called?.arguments ?? ''
    call.extra ??= extraOf(piece)
  }

  return {
    add(chunk) {
      usage = chunk.usage ?? usage
      const choice = chunk.choices?.[0]
      if (choice === undefined) return ''
      const { content: text, refusal: declined, tool_calls: pieces } = choice.delta ?? {}
      for (const piece of pieces ?? []) addCall(piece)
      reasoning.add(choice.delta ?? {})
      refusal += declined ?? ''
      finishReason = choice.finish_reason ?? finishReason
      content += text ?? ''
      return text ?? ''
    },
    whole: () =>
      finishReason === undefined
        ? undefined
        : answerOf({ content, refusal, reasoning: reasoning.whole, calls, finishReason, usage }, model),
  }
}

/** A field of calls that the package's types do not have. */
function extraOf(call: object): unknown {
  return (call as { readonly extra_content?: unknown }).extra_content ?? undefined
}
