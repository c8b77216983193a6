/**
 * A call's arguments where a protocol carries them as a JSON value and not as text. Arguments that are no JSON are
 * carried as the text that they are: a vendor's own model never writes such, weaker ones behind the same protocol do.
 */
export function callInput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
