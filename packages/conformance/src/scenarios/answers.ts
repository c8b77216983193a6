import type { WireRequest } from '../endpoint/wire.ts'

/**
 * The last text that the model was shown: the one after its last call.
 * @throws {Error} the conversation does not end with the result of a tool
 */
export function lastAnswer({ messages }: WireRequest): string {
  const last = messages.at(-1)
  if (last?.role === 'tool') return last.text
  throw new Error('The conversation does not end with the result of a tool.')
}

/**
 * The first group of a pattern in a text.
 * @throws {Error} it does not tell it, so that a model is left alone with its mistake
 */
export function learn(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1]
  if (found !== undefined) return found
  throw new Error(`Nothing leads on here, as ${String(pattern)} would: ${text.slice(0, 500)}`)
}

/** The `reason` of a refusal, with its quotes as they are meant. */
export function reasonIn(text: string): string {
  return learn(text, /^\s*\{"error":\{"code":"[A-Z_]+","reason":"((?:[^"\\]|\\.)*)"/).replaceAll(/\\(["\\])/g, '$1')
}
