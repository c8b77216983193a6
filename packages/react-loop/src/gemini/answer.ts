import type { ToolCall } from '@repertoire/core'
import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai/web'
import type { FinishReason, ModelAnswer, Usage } from '../model.ts'
import type { AnswerPieces } from '../vendor-model.ts'
import { textOf } from './messages.ts'

/** A model's output, whole or built from the chunks of a stream. */
export interface WireAnswer {
  readonly parts: readonly Part[]
  readonly finishReason: string
  /** The vendor's explanation for a blocked prompt. */
  readonly explanation: string
  readonly usage: GenerateContentResponseUsageMetadata | undefined
}

/** Translates parts, streamed or not, to an answer. */
export function answerOf({ parts, finishReason: reason, explanation, usage }: WireAnswer): ModelAnswer {
  const text = parts.map((part) => textOf(part)).join('')
  const calls = parts.flatMap(({ functionCall }): ToolCall[] => {
    if (functionCall === undefined) return []
    const { id = '', name = '', args = {} } = functionCall
    return [{ id, tool: name, input: args }]
  })
  const finishReason = REASONS.get(reason) ?? 'other'
  return {
    text: text === '' && calls.length === 0 ? explanation : text,
    calls,
    finishReason,
    ...(usage && { usage: usageOf(usage) }),
    ...(parts.some((part) => hasMore(part)) && { provider: { vendor: 'gemini', content: parts } }),
  }
}

// Gemini API reference, "FinishReason" and, where the prompt itself was blocked, "BlockReason".
const REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['CONTINUATION', 'length'],
  ...['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY'].map(
    (reason) => [reason, 'content-filter'] as const,
  ),
  ...['IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION', 'MODEL_ARMOR', 'JAILBREAK'].map(
    (reason) => [reason, 'content-filter'] as const,
  ),
])

/** Whether the model wrote a call that the vendor could not parse: there is then no answer, even if parts came before it. */
export function isUnreadable({ finishReason }: WireAnswer): boolean {
  return UNREADABLE.has(finishReason)
}

const UNREADABLE: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'MALFORMED_RESPONSE',
])

/** Thoughts are counted separately from the answer, and results of the vendor's own tools separately from the prompt. */
function usageOf(usage: GenerateContentResponseUsageMetadata): Usage {
  const { promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage
  return {
    inputTokens: promptTokenCount + toolUsePromptTokenCount,
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
  }
}

/** Whether a part has more than text or a call, so that it must be sent back to the vendor as it is. */
function hasMore(part: Part): boolean {
  return part.thoughtSignature !== undefined || (part.text === undefined && part.functionCall === undefined)
}

/** Builds an answer from one response, or from the chunks of a stream. */
export function collectAnswer(): AnswerPieces<Partial<GenerateContentResponse>, WireAnswer> {
  const parts: Part[] = []
  let finishReason: string | undefined
  let explanation = ''
  let usage: GenerateContentResponseUsageMetadata | undefined

  function addPart(part: Part): void {
    // A stream ends with an empty text, which the API rejects when it is sent back.
    if (isPlain(part) && part.text === '') return
    const last = parts.at(-1)
    // Pieces of one text are joined. Signed parts stay separate: a signature belongs to its part only.
    if (last !== undefined && isPlain(last) && isPlain(part) && last.thought === part.thought)
      parts[parts.length - 1] = { ...last, text: `${last.text}${part.text}` }
    else parts.push(part)
  }

  return {
    add({ candidates, promptFeedback, usageMetadata }) {
      const candidate = candidates?.[0]
      const given = candidate?.content?.parts ?? []
      for (const part of given) addPart(part)
      usage = usageMetadata ?? usage
      finishReason = candidate?.finishReason ?? promptFeedback?.blockReason ?? finishReason
      explanation = promptFeedback?.blockReasonMessage ?? explanation
      return given.map((part) => textOf(part)).join('')
    },
    whole: () => (finishReason === undefined ? undefined : { parts, finishReason, explanation, usage }),
  }
}

/** Whether a part has only text, of the answer or of a thought. */
function isPlain(part: Part): boolean {
  return part.text !== undefined && Object.keys(part).every((field) => field === 'text' || field === 'thought')
}
