/**
 * The parts of a system prompt as one text, an empty line between them; undefined where there is nothing to say. For
 * adapters: a reminder stands behind what the step shows, and both behind what the host says.
 */
export function joinSystemPrompt(...parts: readonly (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n') || undefined
}
