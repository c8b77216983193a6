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

/** Returns text that contains no markup. Quotes stay as they are, so it is for text between tags and not for attributes. */
export function escapeText(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ENTITIES.get(character)!)
}

/**
 * Returns text for one line of a Markdown list: line breaks become spaces, so that a description cannot begin a heading
 * or another entry, and markup that a host's prompt may use is escaped.
 */
export function oneLine(text: string): string {
  return escapeText(text.replaceAll(/\s+/g, ' ').trim())
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
function codePoint(character: string): string {
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

/** The longest part of a value from a model or a skill that a message repeats. */
const MAX_QUOTE_CODE_POINTS = 120

/**
 * Returns a name or a value that is not ours as a person or a model reads it: on one line, and with every character that
 * is not certain to be seen as `\u{…}`. What is left are letters, marks, digits, punctuation, symbols and the plain
 * space. Stricter than `showInvisible`, which is for prose: two names must not look the same, so that single joiners,
 * variation selectors, other spaces and unassigned characters are written out too.
 */
export function showName(text: string): string {
  return PLAIN.test(text) ? text : text.replaceAll(UNCERTAIN(), codePoint)
}

/**
 * Returns a value in quotes for a sentence: shortened, and otherwise as `showName` returns it. A quote inside is escaped,
 * so that the value cannot continue the sentence.
 */
export function quote(text: string): string {
  return quoteBeginning(text, MAX_QUOTE_CODE_POINTS)
}

/** Returns the same with a limit of its own. */
export function quoteBeginning(text: string, maxCodePoints: number): string {
  return inQuotes(showName(beginning(text, maxCodePoints)))
}

/** Returns a value as `quote` does, without the quotes. */
export function shown(text: string): string {
  return showName(beginning(text, MAX_QUOTE_CODE_POINTS))
}

function beginning(text: string, maxCodePoints: number): string {
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

/** Returns a text in quotes. Backslashes are doubled only where one would escape a quote: Windows paths stay readable. */
export function inQuotes(text: string): string {
  return text.includes('"') || text.endsWith('\\')
    ? `"${text.replaceAll(/(\\*)("|$)/g, (_all, slashes: string, end: string) => `${slashes}${slashes}${end && '\\"'}`)}"`
    : `"${text}"`
}

const PLAIN = /^[ -~]*$/

/**
 * The characters that are not certain to be seen. U+2800 is a blank among symbols, and U+FFFC stands for an object that is
 * not there.
 */
export const UNCERTAIN = unicodeExpression(
  String.raw`[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800\uFFFC]`,
  'gu',
)

/**
 * Returns a function that returns a regular expression with Unicode properties, compiled on first use. An engine needs up
 * to half a millisecond to parse one, and parses all literals of a file on import, even in functions that are never
 * called.
 *
 * Every call returns the same object. Use one with the flag `g` only with `match`, `matchAll`, `replaceAll` and `search`:
 * `exec` and `test` would continue at the end of the previous match.
 */
export function unicodeExpression(source: string, flags = 'u'): () => RegExp {
  let compiled: RegExp | undefined
  return () => (compiled ??= new RegExp(source, flags))
}
