import type { ToolCall } from '@repertoire/core'
import type { GenerateContentResponse, GenerateContentResponseUsageMetadata, Part } from '@google/genai/web'
import type { FinishReason, ModelAnswer, Usage } from '../model.ts'
import type { AnswerPieces } from '../vendor-model.ts'
import { textOf } from './messages.ts'

/** What a model gave, whole or put together from the chunks of a stream. */
export interface WireAnswer {
  readonly parts: readonly Part[]
  readonly finishReason: string
  /** What the vendor says of a prompt that it blocked. */
  readonly explanation: string
  readonly usage: GenerateContentResponseUsageMetadata | undefined
}

/** The answer that parts stand for, streamed or not. */
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
    ...(parts.some((part) => isMore(part)) && { provider: { vendor: 'gemini', content: parts } }),
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

/** Whether the model wrote a call that the vendor could not read: there is no answer then, whatever came before it. */
export function isUnreadable({ finishReason }: WireAnswer): boolean {
  return UNREADABLE.has(finishReason)
}

const UNREADABLE: ReadonlySet<string> = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'MALFORMED_RESPONSE',
])

/** Thoughts are counted apart from the answer, and what tools of the vendor's own gave apart from the prompt. */
function usageOf(usage: GenerateContentResponseUsageMetadata): Usage {
  const { promptTokenCount = 0, toolUsePromptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usage
  return {
    inputTokens: promptTokenCount + toolUsePromptTokenCount,
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
  }
}

/** Whether a part is more than text or a call: the vendor wants it back. */
function isMore(part: Part): boolean {
  return part.thoughtSignature !== undefined || (part.text === undefined && part.functionCall === undefined)
}

/** Puts an answer together from one response, or from the chunks of a stream. */
export function collectAnswer(): AnswerPieces<Partial<GenerateContentResponse>, WireAnswer> {
  const parts: Part[] = []
  let finishReason: string | undefined
  let explanation = ''
  let usage: GenerateContentResponseUsageMetadata | undefined

  function addPart(part: Part): void {
    // A stream ends with an empty text, which the API does not take back.
    if (isPlain(part) && part.text === '') return
    const last = parts.at(-1)
    // Pieces of one text are joined. What is signed is left as it came: a signature is for its part alone.
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

/** Whether a part is a text, of the answer's or of a thought's, and nothing besides. */
function isPlain(part: Part): boolean {
  return part.text !== undefined && Object.keys(part).every((field) => field === 'text' || field === 'thought')
}
