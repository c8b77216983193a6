/**
 * The exclusive end of the JSON object or array that begins at `from`; undefined if it is never closed. Brackets in
 * strings do not count. A string may contain line breaks, which JSON forbids but models write.
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
