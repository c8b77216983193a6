import { type TokenCounter, estimateTokens as estimateProse } from '@repertoire/skill-md/internal'

/** Base64, hexadecimal digests, keys: text without words, which tokenizers cut into pieces of one to two characters. */
const UNBROKEN = /[A-Za-z0-9+/=_-]{64,}/g
const TOKENS_PER_UNBROKEN_CHAR = 0.75

/** No tokenizer has tokens for longer pieces, blanks included. */
const MAX_CHARS_PER_TOKEN = 32

/**
 * Estimates the tokens of whatever a conversation may hold. Tools return more than prose: where an estimate for prose is
 * far too low, in long runs without a blank or of blanks alone, this one is at most a quarter too low.
 */
export const estimateTokens: TokenCounter = (text) => {
  let unbroken = 0
  const rest = text.replaceAll(UNBROKEN, (run) => {
    unbroken += run.length
    return ' '
  })
  const estimate = estimateProse(rest) + Math.ceil(unbroken * TOKENS_PER_UNBROKEN_CHAR)
  return Math.max(estimate, Math.ceil(text.length / MAX_CHARS_PER_TOKEN))
}
