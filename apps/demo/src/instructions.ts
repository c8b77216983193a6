/** The host's own system prompt, the same in every adapter. */
export const INSTRUCTIONS = 'You are a careful assistant. Paths are relative to the working folder.'
