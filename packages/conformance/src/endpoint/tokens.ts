import type { EncodedMessage } from './dialect.ts'

/** How many tokens went each way. */
export interface Tokens {
  readonly prompt: number
  readonly answer: number
}

/** Counts tokens as a quarter of the characters, which is enough for checks: the more text, the more tokens. */
export function countTokens(requestBody: unknown, { content, toolCalls = [] }: EncodedMessage): Tokens {
  const calls = toolCalls.map((call) => tokens(call.tool + call.arguments))
  return {
    prompt: tokens(JSON.stringify(requestBody)),
    answer: calls.reduce((sum, count) => sum + count, tokens(content ?? '')),
  }
}

function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
