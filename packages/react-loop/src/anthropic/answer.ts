import type { ToolCall } from '@repertoire/core'
import { readArguments } from '@repertoire/core/adapter'
import type Anthropic from '@anthropic-ai/sdk'
import type { FinishReason, ModelAnswer, Usage } from '../model.ts'
import type { AnswerPieces } from '../vendor-model.ts'

/** A message that was read from an answer, or built from the events of a stream. */
interface WireAnswer {
  readonly content: readonly Anthropic.ContentBlock[]
  readonly stopReason: string
  /** The vendor's explanation of a refusal. */
  readonly explanation: string
  readonly usage: Partial<Anthropic.MessageDeltaUsage> | undefined
}

/** Translates a message, streamed or not, to an answer. */
function answerOf({ content, stopReason, explanation, usage }: WireAnswer): ModelAnswer {
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  const finishReason = REASONS.get(stopReason) ?? 'other'
  const counted = usage && { usage: usageOf(usage) }
  // The vendor stopped the model at any point: a call may be incomplete.
  if (finishReason === 'refusal') return { text: text === '' ? explanation : text, calls: [], finishReason, ...counted }
  const hasMore = content.some(({ type }) => type !== 'text' && type !== 'tool_use')
  return {
    text,
    calls: content.flatMap((block): ToolCall[] => {
      if (block.type !== 'tool_use') return []
      const { id, name, input } = block as Partial<Anthropic.ToolUseBlock>
      return [{ id: id ?? '', tool: name ?? '', input: input === undefined ? {} : input }]
    }),
    finishReason,
    ...counted,
    ...(hasMore && { provider: { vendor: 'anthropic', content } }),
  }
}

// Anthropic API reference, "Messages", stop_reason.
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
])

/** Tokens read from or written to a cache are counted separately. */
function usageOf(usage: Partial<Anthropic.MessageDeltaUsage>): Usage {
  const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
  return { inputTokens: (usage.input_tokens ?? 0) + cached, outputTokens: usage.output_tokens ?? 0 }
}

/** The answer in a response; undefined if it contains no message. */
export function readMessage({
  content,
  stop_reason,
  stop_details,
  usage,
}: Partial<Anthropic.Message>): ModelAnswer | undefined {
  if (!Array.isArray(content)) return undefined
  return answerOf({ content, stopReason: stop_reason ?? '', explanation: stop_details?.explanation ?? '', usage })
}

/** Builds a streamed answer. */
export function collectAnswer(): AnswerPieces<Anthropic.RawMessageStreamEvent> {
  const blocks = new Map<number, { block: Anthropic.ContentBlock; input: string }>()
  let stopReason: string | undefined
  let explanation = ''
  let usage: Partial<Anthropic.MessageDeltaUsage> | undefined

  function addDelta(index: number, delta: Anthropic.RawContentBlockDelta): string {
    const piece = blocks.get(index)
    if (piece === undefined) return ''
    const { block } = piece
    if (delta.type === 'text_delta' && block.type === 'text') {
      piece.block = { ...block, text: block.text + delta.text }
      return delta.text
    }
    if (delta.type === 'input_json_delta') piece.input += delta.partial_json
    else if (delta.type === 'thinking_delta' && block.type === 'thinking')
      piece.block = { ...block, thinking: block.thinking + delta.thinking }
    else if (delta.type === 'signature_delta' && block.type === 'thinking')
      piece.block = { ...block, signature: delta.signature }
    return ''
  }

  return {
    add(event) {
      switch (event.type) {
        case 'message_start':
          usage = { ...event.message?.usage }
          return ''
        case 'content_block_start':
          blocks.set(event.index, { block: event.content_block, input: '' })
          return event.content_block.type === 'text' ? event.content_block.text : ''
        case 'content_block_delta':
          return addDelta(event.index, event.delta)
        case 'message_delta':
          stopReason = event.delta.stop_reason ?? stopReason
          explanation = event.delta.stop_details?.explanation ?? explanation
          usage = { ...usage, ...counts(event.usage) }
          return ''
        default:
          return ''
      }
    },
    whole() {
      if (stopReason === undefined) return undefined
      const content = [...blocks.values()].map(({ block, input }) =>
        // Some servers send the whole input at the start of its block.
        'input' in block && input !== '' ? { ...block, input: readArguments(input) } : block,
      )
      return answerOf({ content, stopReason, explanation, usage })
    },
  }
}

/** Adds counts: a `null` does not overwrite the count of an earlier event. */
function counts(usage: Anthropic.MessageDeltaUsage | undefined): Partial<Anthropic.MessageDeltaUsage> {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => count !== null))
}
