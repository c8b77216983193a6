import { unicodeExpression } from './unicode-expression.ts'

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#x27;'],
])

const MARKUP = /[&<>"']/
const EACH_MARKUP = /[&<>"']/g

/** Text for the inside of an XML element or attribute. Every character of the input survives. */
export function escapeXml(text: string): string {
  return MARKUP.test(text) ? text.replace(EACH_MARKUP, (character) => ENTITIES.get(character)!) : text
}

/**
 * Text for one line of a Markdown list: line breaks become spaces, so that a description cannot begin a heading or
 * another entry, and markup that a host's prompt may be made of is escaped.
 */
export function oneLine(text: string): string {
  return escapeXml(text.replace(/\s+/g, ' ').trim())
}

/**
 * What nobody sees and a model reads: zero-width and direction characters, tags, variation selectors, fillers. A single
 * joiner and a single variation selector are left, which emoji and the spelling of many languages need; a second one
 * after it spells nothing, and a row of them can carry a message.
 */
const UNSEEN =
  '(?![\\u200C\\u200D\\uFE00-\\uFE0F])\\p{Default_Ignorable_Code_Point}|[\\uFFF9-\\uFFFB]|' +
  '(?<=[\\u200C\\u200D\\uFE00-\\uFE0F])[\\u200C\\u200D\\uFE00-\\uFE0F]'
// Unicode properties make an expression slow, and nearly no text holds what it looks for. These let pass what is always
// seen: nearly all alphabets, dashes and quotes, symbols, CJK with its wide forms, and as two halves U+1F000 to U+1FBFF,
// emoji among them. With some ranges more they would be slow too.
const SEEN =
  ' -~\\u00A0-\\u00AC\\u00AE-\\u034E\\u0350-\\u061B\\u061D-\\u115E\\u2010-\\u2027\\u2030-\\u205F' +
  '\\u2070-\\u3163\\u3165-\\uD7FF\\uD83C-\\uD83E\\uDC00-\\uFDFF\\uFF00-\\uFF9F'
const MAY_BE_STRIPPED = new RegExp(`[^\\t\\n${SEEN}]`)
const MAY_BE_SHOWN = new RegExp(`[^${SEEN}]`)
const STRIPPED = unicodeExpression(`(?![\\t\\n])\\p{Cc}|${UNSEEN}`, 'gu')
const SHOWN = unicodeExpression(`[\\p{Cc}\\u2028\\u2029]|${UNSEEN}`, 'gu')

/** Removes what a person does not see and a model reads, and control characters but newline and tab. */
export function stripInvisible(text: string): string {
  return MAY_BE_STRIPPED.test(text) ? text.replaceAll(STRIPPED(), '') : text
}

/** Shows what is not seen as `\u{…}`, line ends too, so that a person sees what a text holds. */
export function showInvisible(text: string): string {
  if (!MAY_BE_SHOWN.test(text)) return text
  return text.replaceAll(SHOWN(), (character) => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`)
}

/**
 * Text of a skill as it is shown inside an element: as it is written, but that nothing in it can end the element that
 * it stands in, begin another one of its kind, or hide from a person.
 */
export function enclosed(text: string): string {
  const seen = stripInvisible(text)
  return seen.includes('<') && MAY_BE_MARKED.test(seen) ? seen.replace(MARK, '&lt;') : seen
}

// A single joiner may be left between the letters of a mark, and a model would read the mark all the same.
const GAP = '[\\s\\u200C\\u200D\\uFE00-\\uFE0F]*'
const MAY_BE_MARKED = /skill_/i
const MARK = new RegExp(`<(?=${GAP}(?:/${GAP})?skill_(?:content|resources?|result)\\b)`, 'gi')
