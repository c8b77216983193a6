/** What a text says as JSON, or the text itself where it is none: models and tools write both. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
