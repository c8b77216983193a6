import { estimateTokenCount } from 'tokenx'

/**
 * Estimates the number of tokens of a text without a model's tokenizer, which would take megabytes and fit one model
 * only. The estimate is within a few percent for English prose and rougher for other text; for an exact number, pass
 * another counter. Runs in linear time.
 */
export const estimateTokens: TokenCounter = (text) => estimateTokenCount(text)

/** Returns the number of tokens of a text for the host's model. */
export type TokenCounter = (text: string) => number
