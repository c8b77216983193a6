const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
])

/** Text for the inside of an XML element or attribute. Every character of the input survives. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES.get(character)!)
}

/**
 * Text for one line of a Markdown list: line breaks become spaces, so that a description cannot begin a heading or
 * another entry, and markup that a host's prompt may be made of is escaped.
 */
export function oneLine(text: string): string {
  return escapeXml(text.replace(/\s+/g, ' ').trim())
}

/**
 * Removes what a person does not see and a model reads: control characters but newline and tab, tag characters, and
 * the controls that turn the direction of text round.
 */
export function stripInvisible(text: string): string {
  return text.replace(/(?![\t\n])\p{Cc}|[\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu, '')
}

/** Shows control and direction characters as `\u{…}`, so that a person sees what a text holds. */
export function showInvisible(text: string): string {
  return text.replace(
    /[\p{Cc}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`,
  )
}
