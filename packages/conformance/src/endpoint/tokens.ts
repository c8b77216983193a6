import type { EncodedMessage } from './dialect.ts'

/** How many tokens went each way. */
export interface Tokens {
  /** With those that were read from a cache. */
  readonly prompt: number
  /** Always at least one, so that an adapter that leaves them out is seen. */
  readonly cached: number
  /** With the reasoning. */
  readonly answer: number
  readonly reasoning: number
}

/** Counts tokens as a quarter of the characters, which is enough for checks: the more text, the more tokens. */
export function countTokens(requestBody: unknown, { content, toolCalls = [], reasoning }: EncodedMessage): Tokens {
  const calls = toolCalls.map((call) => tokens(call.tool + call.arguments))
  const thought = tokens(reasoning?.text ?? '')
  const prompt = tokens(JSON.stringify(requestBody))
  return {
    prompt,
    cached: Math.ceil(prompt / 8),
    answer: calls.reduce((sum, count) => sum + count, thought + tokens(content ?? '')),
    reasoning: thought,
  }
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
