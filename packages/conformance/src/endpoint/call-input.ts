/**
 * Returns a call's arguments as a JSON value, for protocols that do not carry them as text. Arguments that are not JSON
 * stay text: a vendor's own models never write them, but weaker models behind the same protocol do. An empty text
 * becomes an empty object, as in every such protocol.
 */
export function callInput(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
