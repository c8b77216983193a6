import { readArguments } from '@repertoire/core/adapter'
import type OpenAI from 'openai'
import type { FinishReason, ModelAnswer } from '../model.ts'
import { keptPart, reasoningPieces } from './reasoning.ts'

type Chunk = Pick<OpenAI.Chat.ChatCompletionChunk, 'choices' | 'usage'>

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
  const { message, finish_reason } = choice
  const calls = (message.tool_calls ?? []).flatMap((call, index) =>
    call.type === 'custom' ? [] : [{ ...call, index }],
  )
  const answer = collectAnswer(model)
  const delta = { ...message, tool_calls: calls } as OpenAI.Chat.ChatCompletionChunk.Choice.Delta
  // Some servers give a whole message no reason.
  answer.add({ choices: [{ index: 0, delta, finish_reason: finish_reason ?? 'stop' }], usage })
  return answer.whole()
}

/**
 * Builds an answer from the chunks of a stream.
 * @param model the one that was asked
 */
export function collectAnswer(model: string): {
  /** Adds the next chunk. Returns the text in it. */
  add(chunk: Chunk): string
  /** The whole answer; undefined if the stream ended early. */
  whole(): ModelAnswer | undefined
} {
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
    call.extra ??= (piece as { readonly extra_content?: unknown }).extra_content ?? undefined
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
    whole() {
      if (finishReason === undefined) return undefined
      const extras = calls.map(({ extra }) => extra)
      const isRefused = content === '' && refusal !== '' && calls.length === 0
      return {
        text: isRefused ? refusal : content,
        calls: calls.map((call) => ({ id: call.id, tool: call.name, input: readArguments(call.arguments) })),
        finishReason: isRefused ? 'refusal' : (REASONS.get(finishReason) ?? 'other'),
        usage: usage ? { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens } : undefined,
        provider: keptPart(reasoning.whole, extras, model),
      }
    },
  }
}
