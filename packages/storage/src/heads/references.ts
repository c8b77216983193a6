/** The blobs that the text of a head refers to: every hash that stands in it as a string of JSON. */
export function referencesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash))]
}
