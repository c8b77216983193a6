/**
 * Where a JSON object or list that begins at `from` ends, exclusive; undefined where it is never closed. Brackets in
 * strings do not count. A string may hold line breaks, which JSON forbids and models write: what stands in such a
 * string is still inside of it.
 */
export function endOfJson(text: string, from: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return undefined
}
