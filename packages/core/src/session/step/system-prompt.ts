/**
 * Returns the parts of a system prompt as one text, an empty line between them; undefined where all are empty. For
 * adapters: the host's own prompt comes first, then what the step shows, then a reminder.
 */
export function joinSystemPrompt(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n') || undefined
}
