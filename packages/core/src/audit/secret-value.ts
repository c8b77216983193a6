/** What replaces a secret. */
export const REDACTED = '[redacted]'

/** A character that was made visible before (`\u{A}`) ends a value as the character itself does. */
export const ESCAPED = String.raw`\\u\{[0-9A-F]{1,6}\}`
/** A value without quotes. What was redacted in it before is a part of it. */
const plainOf = (max: string): string => String.raw`(?:\[redacted\]|(?!${ESCAPED})[^\s"'\`,;&<>(){}\[\]]){1,${max}}`
/** A value in quotes, in escaped ones (JSON inside a string), or plain, of at most so many characters. */
const valueOf = (max: string): string =>
  String.raw`(?:\\{1,7}"(?:(?!\\").){0,${max}}(?:\\{1,7}")?|"(?:[^"\\]|\\.){0,${max}}"?|'(?:[^'\\]|\\.){0,${max}}'?|\`[^\`\s][^\`\n]{0,${max}}\`|${plainOf(max)})`
export const PLAIN = plainOf('')
export const VALUE = valueOf('')
/** A value before a name: each of its ends is tried, which would take time that grows with the square of a long one. */
export const SHORT_VALUE = valueOf('500')

/** What a shape is replaced by; a function is given its groups. */
export type Replacement = string | ((all: string, ...groups: string[]) => string)

/** A shape of a secret, and what replaces it. */
export type Shape = readonly [shape: RegExp, by: Replacement]

/** Replaces a value, and keeps its quotes. */
export function inQuotesOf(value: string): string {
  const quote = IN_QUOTES.exec(value)?.[0] ?? ''
  return `${quote}${REDACTED}${quote}`
}

const IN_QUOTES = /^\\{0,7}["'`]/
