import type { Content } from './calls.ts'

/**
 * Checks that the thought signatures of calls are sent back. Gemini API guide, "Thought signatures": from Gemini 3 on,
 * in the current turn, the first call of every step must carry the signature that it was received with.
 *
 * @throws {TypeError} naming the content
 */
export function checkSignatures(contents: readonly Content[], model: string): void {
  if (!/^gemini-(?!1|2)/.test(model)) return
  const turn = contents.findLastIndex(({ role, results }) => role === 'user' && results.length === 0)
  for (const { at, calls } of contents.slice(turn + 1)) {
    const [first] = calls
    if (first !== undefined && !first.signed) {
      throw new TypeError(
        `${at} gives the call of "${first.tool}" back without its thoughtSignature. Give parts back as they came.`,
      )
    }
  }
}
