/** Parses a text as JSON, or returns it if it is not JSON: models and tools write both. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
