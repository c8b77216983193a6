import { type TokenCounter, shownValue } from '@repertoire/skill-md/internal'

/**
 * Returns a host's counter that falls back to an estimate if it fails. No tokenizer finds no token in a word.
 * @param onFailure called with why the counter cannot be used: what it threw, or what it returned
 */
export function safeCounter(
  countTokens: TokenCounter,
  estimateTokens: TokenCounter,
  onFailure: (problem: string, cause?: unknown) => void,
): TokenCounter {
  return (text) => {
    if (text === '') return 0
    let tokens: unknown
    try {
      tokens = countTokens(text)
    } catch (error) {
      onFailure('it threw', error)
      return estimateTokens(text)
    }
    const least = /\w/.test(text) ? Number.MIN_VALUE : 0
    if (Number.isFinite(tokens) && Number(tokens) >= least) return Number(tokens)
    // One that rejects later must not end the process.
    if (tokens instanceof Promise) tokens.catch(() => undefined)
    onFailure(`it returned ${shownValue(tokens)}`)
    return estimateTokens(text)
  }
}
