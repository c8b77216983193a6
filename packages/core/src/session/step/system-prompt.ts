/**
 * Returns the parts of a system prompt as one text, an empty line between them; undefined where all are empty. For
 * adapters: the host's own prompt comes first, then what the step shows, then a reminder.
 */
export function joinSystemPrompt(...parts: readonly (string | undefined)[]): string | undefined {
  // Not `join`, which copies a long list of skills at every step.
  let prompt = ''
  for (const part of parts) {
    if (part === undefined || part === '') continue
    prompt = prompt === '' ? part : `${prompt}\n\n${part}`
  }
  return prompt === '' ? undefined : prompt
}
