/**
 * A call's arguments where a protocol carries them as a JSON value and not as text. Arguments that are not JSON are
 * carried as the text that they are: a vendor's own model never writes such, weaker ones behind the same protocol do.
 * None at all are an object of none, as every such protocol has them.
 */
export function callInput(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
