import { estimateTokenCount } from 'tokenx'
import type { TokenCounter } from '../ports/tokens.ts'

/**
 * About how many tokens a text is to a language model, without a model's own tokenizer: such a table weighs megabytes
 * and fits one model alone. Prose in English is met to within some percent, other text more roughly; whoever needs a
 * certain number passes a counter of their own. Time grows linearly with the text.
 */
export const estimateTokens: TokenCounter = (text) => estimateTokenCount(text)
