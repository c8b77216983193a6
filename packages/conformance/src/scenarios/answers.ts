import type { WireRequest } from '../endpoint/wire.ts'

/**
 * Returns the last text that the model was shown: the result of its last call.
 * @throws {Error} if the conversation does not end with the result of a tool
 */
export function lastAnswer({ messages }: WireRequest): string {
  const last = messages.at(-1)
  if (last?.role === 'tool') return last.text
  throw new Error('The conversation does not end with the result of a tool.')
}

/** Returns everything that the model has been told: the system prompt, and the conversation. */
export function told({ system, messages }: WireRequest): string {
  return [system, ...messages.map(({ text }) => text)].join('\n')
}

/**
 * Returns the first group of a pattern in a text.
 * @throws {Error} if the pattern does not match: the text does not tell the model how to continue
 */
export function extract(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  if (found !== undefined) return found
  throw new Error(`The text does not say how to continue, it does not match ${String(pattern)}: ${text.slice(0, 500)}`)
}

/** Returns the `reason` of a refusal, with its quotes unescaped. */
export function reasonIn(text: string): string {
  return extract(text, /^\s*\{"error":\{"code":"[A-Z_]+","reason":"((?:[^"\\]|\\.)*)"/).replaceAll(/\\(["\\])/g, '$1')
}
