import { unicodeExpression } from './unicode-expression.ts'

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

/**
 * Returns text for one line of a Markdown list: line breaks become spaces, so that a description cannot begin a heading
 * or another entry, and markup that a host's prompt may use is escaped.
 */
export function oneLine(text: string): string {
  return escapeXml(text.replaceAll(/\s+/g, ' ').trim())
}

/** Scripts whose spelling needs the joiner and the non-joiner, for the inside of a class. */
export const JOINING_SCRIPTS =
  '\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mand}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Phag}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}' +
  '\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}'

/**
 * A joiner or variation selector where spelling or emoji need it: a joiner behind a letter of a script that joins letters
 * or between two emoji, a selector behind a character that has variants. Anywhere else it is invisible and has no use, and
 * a sequence of them can carry a message.
 */
const NEEDED = [
  `(?<=[${JOINING_SCRIPTS}])[\\u200C\\u200D]`,
  '(?<=\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=\\p{Extended_Pictographic})',
  '(?<=(?![ -~])[\\p{S}\\p{Extended_Pictographic}])[\\uFE0E\\uFE0F]',
  '(?<=[#*0-9])\\uFE0F(?=\\u20E3)',
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE02]',
  '(?<=(?![ -~])[\\p{Sm}\\p{Script=Myanmar}])\\uFE00',
].join('|')
/**
 * Characters that are invisible to people but not to a model: zero-width and direction characters, tags, variation
 * selectors, fillers, the blank Braille pattern, controls of hieroglyphs, code points that are no characters.
 */
const INVISIBLE = `(?!${NEEDED})\\p{Default_Ignorable_Code_Point}|[\\uFFF9-\\uFFFB\\u2800\\u{13430}-\\u{1343F}]|\\p{Noncharacter_Code_Point}`
// Unicode properties make an expression slow, and few texts hold invisible characters. A cheap test first skips texts of
// characters that are always visible: nearly all alphabets, dashes and quotes, symbols, CJK with its wide forms, and both
// surrogates of U+1F000 to U+1FBFF, which include emoji. With a few more ranges the test would be slow too.
const VISIBLE =
  ' -~\\u00A0-\\u00AC\\u00AE-\\u034E\\u0350-\\u061B\\u061D-\\u115E\\u2010-\\u2027\\u2030-\\u205F' +
  '\\u2070-\\u27FF\\u2801-\\u3163\\u3165-\\uD7FF\\uD83C-\\uD83E\\uDC00-\\uFDCF\\uFDF0-\\uFDFF\\uFF00-\\uFF9F'
const MAY_BE_STRIPPED = new RegExp(`[^\\t\\n${VISIBLE}]`)
const MAY_BE_SHOWN = new RegExp(`[^${VISIBLE}]`)
const STRIPPED = unicodeExpression(`(?![\\t\\n])\\p{Cc}|${INVISIBLE}`, 'gu')
const HIDDEN = unicodeExpression(`(?![\\t\\n])[\\p{Cc}\\u2028\\u2029]|${INVISIBLE}`, 'gu')
const SHOWN = unicodeExpression(`[\\p{Cc}\\u2028\\u2029]|${INVISIBLE}`, 'gu')

/**
 * Removes characters that are invisible to people but not to a model, and control characters except newline and tab. The
 * line and paragraph separators of Unicode become newlines.
 */
export function stripInvisible(text: string): string {
  if (!MAY_BE_STRIPPED.test(text)) return text
  return text.replaceAll(/[\u2028\u2029]/g, '\n').replaceAll(STRIPPED(), '')
}

/** Writes invisible characters and line ends as `\u{…}`, so that a person sees everything in a text. */
export function showInvisible(text: string): string {
  if (!MAY_BE_SHOWN.test(text)) return text
  return text.replaceAll(SHOWN(), codePoint)
}

/** Returns a character as `\u{200B}`. */
export function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`
}

/**
 * Returns a text of foreign code for a sentence of ours: an error's message, what a program wrote. Invisible characters
 * are made visible as `showInvisible` does it; line breaks and tabs are kept, since such texts have several lines.
 */
export function showHidden(text: string): string {
  if (!MAY_BE_STRIPPED.test(text)) return text
  return text.replaceAll(HIDDEN(), codePoint)
}

/**
 * Returns text of a skill for the inside of an element. It is unchanged, except that it cannot end this element, begin
 * another one of its kind, or hold invisible characters.
 */
export function enclosed(text: string): string {
  return stripInvisible(text).replace(TAG, '&lt;')
}

const TAG = /<(?=\s*(?:\/\s*)?skill_(?:content|resources?|result|arguments|output)(?![a-z0-9_]))/gi
