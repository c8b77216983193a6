/** A piece of a text: visible as it is, or a character that is not. */
export interface Segment {
  readonly text: string
  /** `\u{200B}`, for a character that a person would not see. */
  readonly chip?: string
}

// Audits write such characters as `\u{…}` already. Other logs may hold them as they are.
const WRITTEN = String.raw`\\u\{[0-9A-Fa-f]{1,6}\}`
const INVISIBLE = new RegExp(
  `${WRITTEN}|[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Co}\\p{Cn}\\p{Cs}]|\\p{Default_Ignorable_Code_Point}|\\u2800`,
  'gu',
)

/** A line break, as audits write it. */
const LINE_BREAK = String.raw`\u{A}`

/**
 * Splits a text at the characters that a person would not see.
 * @param isBlock line breaks and tabs are seen as what they are
 */
export function segmentsOf(text: string, isBlock = false): readonly Segment[] {
  const segments: Segment[] = []
  let from = 0
  for (const match of text.matchAll(INVISIBLE)) {
    const [found] = match
    if (isBlock && (found === '\n' || found === '\t')) continue
    if (match.index > from) segments.push({ text: text.slice(from, match.index) })
    if (isBlock && found === LINE_BREAK) segments.push({ text: '\n' })
    else segments.push({ text: found, chip: found.startsWith('\\u{') ? found : codePoint(found) })
    from = match.index + found.length
  }
  if (from < text.length) segments.push({ text: text.slice(from) })
  return segments
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
}
