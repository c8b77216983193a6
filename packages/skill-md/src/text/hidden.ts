/** Scripts whose spelling needs the joiner and the non-joiner, for the inside of a class. */
const JOINING_SCRIPTS =
  '\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mand}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Phag}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}' +
  '\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}'

/**
 * What spelling or emoji need: a joiner behind a letter of a script that joins letters or between two emoji, a selector
 * behind a character that has variants, the tags of a regional flag. Anywhere else it is invisible and has no use, and
 * a sequence of them can carry a message.
 */
const NEEDED = [
  `(?<=[${JOINING_SCRIPTS}])[\\u200C\\u200D]`,
  '(?<=\\p{Extended_Pictographic}[\\uFE0F\\u{1F3FB}-\\u{1F3FF}]?)\\u200D(?=\\p{Extended_Pictographic})',
  '(?<=(?![ -~])[\\p{S}\\p{Extended_Pictographic}])[\\uFE0E\\uFE0F]',
  '(?<=[#*0-9])\\uFE0F(?=\\u20E3)',
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
  '(?<=(?![ -~])[\\p{Sm}\\p{Script=Myanmar}])\\uFE00',
  '(?<=\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{0,6})[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}\\u{E007F}]',
].join('|')
/**
 * Characters that are invisible to people but not to a model: zero-width and direction characters, tags, variation
 * selectors, fillers, the blank Braille pattern, controls of hieroglyphs, code points that are no characters.
 */
const INVISIBLE = `(?!${NEEDED})\\p{Default_Ignorable_Code_Point}|[\\uFFF9-\\uFFFB\\u2800\\u{13430}-\\u{1343F}]|\\p{Noncharacter_Code_Point}`
// Unicode properties make an expression slow, and few texts hold invisible characters. A cheap test first skips texts
// of characters that are always visible: nearly all alphabets, dashes and quotes, symbols, CJK with its wide forms, and
// both surrogates of U+1F000 to U+1FBFF, which include emoji. With a few more ranges the test would be slow too.
const VISIBLE =
  ' -~\\u00A0-\\u00AC\\u00AE-\\u034E\\u0350-\\u061B\\u061D-\\u115E\\u2010-\\u2027\\u2030-\\u205F' +
  '\\u2070-\\u27FF\\u2801-\\u3163\\u3165-\\uD7FF\\uD83C-\\uD83E\\uDC00-\\uFDCF\\uFDF0-\\uFDFF\\uFF00-\\uFF9F'
const MAY_BE_FOUND = new RegExp(`[^\\t\\n\\r${VISIBLE}]`)
const MAY_BE_STRIPPED = new RegExp(`[^\\t\\n${VISIBLE}]`)
const MAY_BE_SHOWN = new RegExp(`[^${VISIBLE}]`)
const FOUND = unicodeExpression(`(?![\\t\\n\\r])\\p{Cc}|${INVISIBLE}`, 'gu')
const RUNS = unicodeExpression(`(?:(?![\\t\\n\\r])\\p{Cc}|${INVISIBLE})+`, 'gu')
const STRIPPED = unicodeExpression(`(?![\\t\\n])\\p{Cc}|${INVISIBLE}`, 'gu')
const HIDDEN = unicodeExpression(`(?![\\t\\n])[\\p{Cc}\\u2028\\u2029]|${INVISIBLE}`, 'gu')
const SHOWN = unicodeExpression(`[\\p{Cc}\\u2028\\u2029]|${INVISIBLE}`, 'gu')

/** The hidden characters of a text. */
export interface HiddenCharacters {
  /** The position of the first one, in UTF-16 code units. */
  readonly index: number
  /** The distinct ones, at most eight, in the form `U+200B`. */
  readonly codePoints: readonly string[]
}

/**
 * Finds controls except tab and line ends, and invisible characters that spelling does not need: they can carry or hide
 * a message.
 */
export function findHidden(text: string): HiddenCharacters | undefined {
  if (!MAY_BE_FOUND.test(text)) return undefined
  const found = [...text.matchAll(FOUND())]
  if (found.length === 0) return undefined
  const distinct = [...new Set(found.map(([character]) => character))].slice(0, 8)
  return { index: found[0]!.index, codePoints: distinct.map(nameCodePoint) }
}

/** A run of hidden characters, with what it says. */
interface HiddenRun {
  /** In UTF-16 code units. */
  readonly index: number
  readonly text: string
}

/**
 * Reads runs of hidden characters: tags as the letters that they encode, variation selectors as the bytes that they
 * number, if those are text; the others by name, as `U+200B`.
 */
export function readHidden(text: string): readonly HiddenRun[] {
  if (!MAY_BE_FOUND.test(text)) return []
  return Array.from(text.matchAll(RUNS()), ({ index, 0: run }) => ({ index, text: decodeRun(run) }))
}

function decodeRun(run: string): string {
  return run
    .replaceAll(/[\u{E0020}-\u{E007E}]/gu, (tag) => String.fromCodePoint(tag.codePointAt(0)! - 0xe0000))
    .replaceAll(/[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2,}/gu, decodeSelectors)
    .replaceAll(FOUND(), (character) => `${nameCodePoint(character)} `)
    .trim()
}

/** Selectors 1 to 256 as bytes 0 to 255; the run itself if they are no text. */
function decodeSelectors(run: string): string {
  const bytes = Array.from(run, (selector) => {
    const point = selector.codePointAt(0)!
    return point < 0xe0100 ? point - 0xfe00 : point - 0xe0100 + 16
  })
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes))
    return bytes.every((byte) => byte > 31) ? text : run
  } catch {
    return run
  }
}

/**
 * Whether YAML may hold a character that `findHidden` finds, as it is or as an escape.
 * @param yaml holds no control characters below U+0020 except those that `findHidden` ignores
 * @param ascii whether it is pure ASCII, so that only U+007F is left to check
 */
export function mayHide(yaml: string, ascii: boolean): boolean {
  if (ascii ? yaml.includes('\x7F') : MAY_BE_FOUND.test(yaml)) return true
  return yaml.includes('\\') && SUSPECT_ESCAPE.test(yaml)
}

/** An escape that may mean an invisible character: not a quote, a slash, white space or a line end. */
const SUSPECT_ESCAPE = /\\[^"\\/nrt \n\r]/

/** Returns `U+` and at least four hexadecimal digits. */
export function nameCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Returns a character as `\u{200B}`. */
export function codePoint(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`
}

/**
 * Removes characters that are invisible to people but not to a model, and control characters except newline and tab.
 * The line and paragraph separators of Unicode become newlines.
 */
export function stripInvisible(text: string): string {
  if (!MAY_BE_STRIPPED.test(text)) return text
  return text.replaceAll(/[\u2028\u2029]/g, '\n').replaceAll(STRIPPED(), '')
}

/** Writes invisible characters and line ends as `\u{…}`, so that a person sees everything in a text. */
export function showInvisible(text: string): string {
  return MAY_BE_SHOWN.test(text) ? text.replaceAll(SHOWN(), codePoint) : text
}

/**
 * Returns a text of foreign code for a sentence of ours: an error's message, what a program wrote. Invisible characters
 * are made visible as `showInvisible` does it; line breaks and tabs are kept, since such texts have several lines.
 */
export function showHidden(text: string): string {
  return MAY_BE_STRIPPED.test(text) ? text.replaceAll(HIDDEN(), codePoint) : text
}

export const PLAIN = /^[ -~]*$/

/**
 * The characters that are not certain to be seen. U+2800 is a blank among symbols, and U+FFFC stands for an object that
 * is not there.
 */
export const UNCERTAIN = unicodeExpression(
  String.raw`[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800\uFFFC]`,
  'gu',
)

/**
 * Returns the first character that is not certain to be seen, in the form `U+200B`: what is shown in its place is
 * another text. For names and rules.
 */
export function findUnseen(text: string): string | undefined {
  const index = PLAIN.test(text) ? -1 : text.search(UNCERTAIN())
  return index === -1 ? undefined : nameCodePoint(text.slice(index))
}

/**
 * Returns a function that returns a regular expression with Unicode properties, compiled on first use. An engine needs
 * up to half a millisecond to parse one, and parses all literals of a file on import, even in functions that are never
 * called.
 *
 * Every call returns the same object. Use one with the flag `g` only with `match`, `matchAll`, `replaceAll` and
 * `search`: `exec` and `test` would continue at the end of the previous match.
 */
export function unicodeExpression(source: string, flags = 'u'): () => RegExp {
  let compiled: RegExp | undefined
  return () => (compiled ??= new RegExp(source, flags))
}
