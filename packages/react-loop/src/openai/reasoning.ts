import type { AssistantMessage, ProviderPart } from '../model.ts'

/**
 * Where servers put what a model thinks: DeepSeek, Qwen and older vLLM, and Ollama, OpenRouter and newer vLLM. It is sent
 * back under the name that it came with.
 */
const FIELDS = ['reasoning_content', 'reasoning'] as const

/** The reasoning in a message, by the field that it came in. */
export type Reasoning = { readonly [field in (typeof FIELDS)[number]]?: string }

/** Joins the reasoning of a message, which may come in pieces. */
export function reasoningPieces(): { readonly whole: Reasoning; add(piece: object): void } {
  const whole: { [field in (typeof FIELDS)[number]]?: string } = {}
  return {
    whole,
    add(piece) {
      for (const field of FIELDS) {
        const text = (piece as { readonly [name in typeof field]?: unknown })[field]
        if (typeof text === 'string' && text !== '') whole[field] = (whole[field] ?? '') + text
      }
    },
  }
}

/** The reasoning as a message keeps it. Another model is not sent it: its server may refuse the fields. */
export function reasoningPart(reasoning: Reasoning, model: string): ProviderPart {
  return { vendor: vendorOf(model), content: [reasoning] }
}

/** What is sent back with a message: the reasoning that the same model wrote in it. */
export function keptReasoning({ provider }: AssistantMessage, model: string): Reasoning {
  const kept = reasoningPieces()
  if (provider?.vendor === vendorOf(model)) for (const part of provider.content) kept.add(part as object)
  return kept.whole
}

function vendorOf(model: string): string {
  return `openai-compatible:${model}`
}
