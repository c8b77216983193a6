/** How many tokens a text is to the host's model. */
export type TokenCounter = (text: string) => number
