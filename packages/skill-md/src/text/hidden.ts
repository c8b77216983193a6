import { JOINING_SCRIPTS, UNCERTAIN, unicodeExpression } from './escape.ts'

// Expressions with Unicode properties are slow, so each runs only after a cheap test that nearly every text passes.

/**
 * Matches every character except those that are always visible and the white space of YAML and Markdown. Excluded are
 * nearly all alphabets, dashes and quotes, symbols, CJK with its wide forms, and both surrogates of U+1F000 to U+1FBFF,
 * which include emoji. A few more ranges would make it eight times as slow.
 */
const UNUSUAL =
  /[^\t\n\r -~\u00A0-\u00AC\u00AE-\u034E\u0350-\u061B\u061D-\u115E\u2010-\u2029\u2030-\u205F\u2070-\u3163\u3165-\uD7FF\uDC00-\uFDFF\uFF00-\uFF9F\uD83C-\uD83E]/

/** Matches a text that ends with a letter of such a script. */
const JOINED = unicodeExpression(`[${JOINING_SCRIPTS}]$`)

/** Controls except tab and line ends, characters that are never drawn (zero-width, bidi, tags), annotation marks. */
const SUSPECT = unicodeExpression(
  String.raw`[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}]`,
  'gu',
)

/** What one of the first sixteen variation selectors may follow; the others may only follow Han. */
const SHOWN = unicodeExpression(String.raw`[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]$`)
const HAN = unicodeExpression(String.raw`\p{Script=Han}$`)

const ENDS_IN_EMOJI = unicodeExpression(String.raw`(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?$`)
const BEGINS_WITH_EMOJI = unicodeExpression(String.raw`^\p{Extended_Pictographic}`)

/** The hidden characters of a text. */
export interface HiddenCharacters {
  /** The position of the first one, in UTF-16 code units. */
  readonly index: number
  /** The distinct ones, at most eight, in the form `U+200B`. */
  readonly codePoints: readonly string[]
}

/**
 * Finds invisible characters that can carry or hide a message: controls, bidi controls, zero-width characters, tag
 * characters. Characters that correct spelling needs are not reported: the joiners inside an emoji or a word of Persian
 * or Hindi, one variation selector after a character, the tags of a regional flag.
 */
export function findHidden(text: string): HiddenCharacters | undefined {
  if (!UNUSUAL.test(text)) return undefined
  let index: number | undefined
  const codePoints = new Set<string>()
  for (const match of text.matchAll(SUSPECT())) {
    if (isSpelling(text, match.index, match[0])) continue
    index ??= match.index
    codePoints.add(nameCodePoint(match[0]))
    if (codePoints.size === 8) break
  }
  return index === undefined ? undefined : { index, codePoints: [...codePoints] }
}

function isSpelling(text: string, index: number, character: string): boolean {
  const code = character.codePointAt(0)!
  const before = text.slice(Math.max(0, index - 16), index)
  if (code === 0x200c) return JOINED().test(before)
  if (code === 0x200d) {
    const after = text.slice(index + 1, index + 3)
    return JOINED().test(before) || isWithinEmoji(before, after)
  }
  if (code >= 0xfe00 && code <= 0xfe0f) return SHOWN().test(before)
  if (code >= 0xe0100 && code <= 0xe01ef) return HAN().test(before)
  // The regional flags (England, Scotland, Wales) are a black flag followed by tag characters.
  const isTag = code >= 0xe0020 && code <= 0xe007f
  return isTag && /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{0,6}$/u.test(before)
}

function isWithinEmoji(before: string, after: string): boolean {
  return ENDS_IN_EMOJI().test(before) && BEGINS_WITH_EMOJI().test(after)
}

/**
 * Whether YAML may hold a character that `findHidden` finds, as it is or as an escape.
 * @param yaml holds no control characters below U+0020 except those that `findHidden` ignores
 * @param ascii whether it is pure ASCII, so that only U+007F is left to check
 */
export function mayHide(yaml: string, ascii: boolean): boolean {
  if (ascii ? yaml.includes('\x7F') : UNUSUAL.test(yaml)) return true
  return yaml.includes('\\') && SUSPECT_ESCAPE.test(yaml)
}

/** An escape that may stand for an invisible character: not a quote, a slash, white space or a line end. */
const SUSPECT_ESCAPE = /\\[^"\\/nrt \n\r]/

/** Returns `U+` and at least four hexadecimal digits. */
export function nameCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

const PRINTABLE = /^[ -~]*$/

/**
 * Returns the first character that is not certain to be seen, in the form `U+200B`: what is shown in its place is another
 * text. For names and rules.
 */
export function findUnseen(text: string): string | undefined {
  if (PRINTABLE.test(text)) return undefined
  const index = text.search(UNCERTAIN())
  return index === -1 ? undefined : nameCodePoint(text.slice(index))
}

/** Returns a value for a message: in quotes, cut after 60 characters, with invisible characters written out. */
export function excerpt(value: string): string {
  const shown = value.length <= 60 ? value : `${value.slice(0, 60).replace(/[\uD800-\uDBFF]$/, '')}…`
  if (PRINTABLE.test(shown)) return `"${shown}"`
  return `"${shown.replaceAll(UNCERTAIN(), (character) => `<${nameCodePoint(character)}>`)}"`
}
