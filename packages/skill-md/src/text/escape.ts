import { codePoint, PLAIN, stripInvisible, UNCERTAIN } from './hidden.ts'

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
])

/** Returns text for the inside of an XML element or attribute. Every character of the input is preserved. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character)!)
}

/** Returns text that contains no markup. Quotes stay, so it is for text between tags and not for attributes. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES.get(character)!)
}

/**
 * Returns text for one line of a Markdown list: line breaks become spaces, so that a description cannot begin a heading
 * or another entry, and markup that a host's prompt may use is escaped.
 */
export function oneLine(text: string): string {
  return escapeText(text.replaceAll(/\s{2,}|[^\S ]/g, ' ').trim())
}

/**
 * Returns text of a skill for the inside of an element. It is unchanged, except that it cannot end this element, begin
 * another one of its kind, or hold invisible characters.
 */
export function enclosed(text: string): string {
  return stripInvisible(text).replace(TAG, '&lt;')
}

const TAG = /<(?=\s*(?:\/\s*)?skill_(?:content|resources?|result|arguments|output)(?![a-z0-9_]))/gi

/** The longest part of a value from a model or a skill that a message repeats. */
const MAX_QUOTE_CODE_POINTS = 120

/**
 * Returns a name or a value that is not ours as a person or a model reads it: on one line, and with every character
 * that is not certain to be seen as `\u{…}`. What is left are letters, marks, digits, punctuation, symbols and the
 * plain space. Stricter than `showInvisible`, which is for prose: two names must not look the same, so that single
 * joiners, variation selectors, other spaces and unassigned characters are written out too.
 */
export function showName(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(UNCERTAIN(), codePoint)
}

/**
 * Returns a value in quotes for a sentence: shortened, and otherwise as `showName` returns it. A quote inside is
 * escaped, so that the value cannot continue the sentence.
 */
export function quote(text: string): string {
  return quoteBeginning(text, MAX_QUOTE_CODE_POINTS)
}

/** Returns the same with its own limit. */
export function quoteBeginning(text: string, maxCodePoints: number): string {
  return inQuotes(showName(beginning(text, maxCodePoints)))
}

/** Returns a value as `quote` does, without the quotes. */
export function shown(text: string): string {
  return showName(beginning(text, MAX_QUOTE_CODE_POINTS))
}

function beginning(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  // A code point has at most two code units, so no more than about twice the limit has to be read.
  const points = Array.from(text.slice(0, 2 * maxCodePoints + 2))
  return points.length > maxCodePoints ? `${points.slice(0, maxCodePoints).join('')}…` : points.join('')
}

/** Returns the value of an option for the message that refuses it: a text in quotes, anything else as it is written. */
export function shownValue(value: unknown): string {
  return typeof value === 'string' ? quote(value) : shown(String(value))
}

/** Returns the whole of a name in quotes: one that a model or a person is to repeat is not shortened. */
export function quoteName(name: string): string {
  return inQuotes(showName(name))
}

/** Returns a text in quotes. Backslashes are doubled only where they escape a quote: Windows paths stay readable. */
export function inQuotes(text: string): string {
  return text.includes('"') || text.endsWith('\\')
    ? `"${text.replaceAll(/(\\*)("|$)/g, (_all, slashes: string, end: string) => `${slashes}${slashes}${end && '\\"'}`)}"`
    : `"${text}"`
}
