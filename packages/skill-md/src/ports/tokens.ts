/** Returns the number of tokens of a text for the host's model. */
export type TokenCounter = (text: string) => number
