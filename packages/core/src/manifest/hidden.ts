import { unicodeExpression } from '../text/unicode-expression.ts'

// Each expression with Unicode properties stands behind a test that nearly every text passes.

/**
 * All but characters that are always shown, or white space that YAML and Markdown are made of: nearly all alphabets,
 * dashes and quotes, symbols, CJK with its wide forms, and as two halves what lies from U+1F000 to U+1FBFF, emoji among
 * them. With some ranges more it would take eight times as long.
 */
const UNUSUAL =
  /[^\t\n\r -~\u00A0-\u00AC\u00AE-\u034E\u0350-\u061B\u061D-\u115E\u2010-\u2029\u2030-\u205F\u2070-\u3163\u3165-\uD7FF\uDC00-\uFDFF\uFF00-\uFF9F\uD83C-\uD83E]/

/** Scripts whose spelling needs the joiner and the non-joiner. */
const JOINING_SCRIPTS =
  '\\p{sc=Arab}\\p{sc=Syrc}\\p{sc=Mand}\\p{sc=Mong}\\p{sc=Nkoo}\\p{sc=Phag}\\p{sc=Deva}\\p{sc=Beng}\\p{sc=Guru}' +
  '\\p{sc=Gujr}\\p{sc=Orya}\\p{sc=Taml}\\p{sc=Telu}\\p{sc=Knda}\\p{sc=Mlym}\\p{sc=Sinh}\\p{sc=Khmr}\\p{sc=Mymr}\\p{sc=Tibt}'

/** The end of a text that ends with a letter of such a script. */
const JOINED = unicodeExpression(`[${JOINING_SCRIPTS}]$`)

/** Controls but tab and line ends, what is never drawn (zero-width, bidi, tags), and annotation marks. */
const SUSPECT = unicodeExpression(
  String.raw`[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}]`,
  'gu',
)

/** What a variation selector may follow: one of the first sixteen, and one of the others. */
const SHOWN = unicodeExpression(String.raw`[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]$`)
const HAN = unicodeExpression(String.raw`\p{Script=Han}$`)

const ENDS_IN_EMOJI = unicodeExpression(String.raw`(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?$`)
const BEGINS_WITH_EMOJI = unicodeExpression(String.raw`^\p{Extended_Pictographic}`)

/** Hidden characters of a text. */
export interface HiddenCharacters {
  /** Where the first one stands, in UTF-16 units. */
  readonly index: number
  /** The different ones, at most eight, as `U+200B`. */
  readonly codePoints: readonly string[]
}

/**
 * Finds characters that are not shown and can carry or hide a message: controls, bidi controls, zero-width
 * characters, tag characters. What proper spelling needs is not reported: the joiners inside an emoji or a word of
 * Persian or Hindi, one variation selector after a character, the tags of a regional flag.
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
  // The regional flags (England, Scotland, Wales) are a black flag spelled out in tag characters.
  const isTag = code >= 0xe0020 && code <= 0xe007f
  return isTag && /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{0,6}$/u.test(before)
}

function isWithinEmoji(before: string, after: string): boolean {
  return ENDS_IN_EMOJI().test(before) && BEGINS_WITH_EMOJI().test(after)
}

/**
 * Whether YAML may hold, as it is or as an escape, what `findHidden` finds.
 * @param yaml without control characters below U+0020 but those that `findHidden` passes over
 * @param ascii whether it holds nothing but ASCII, so that no more than one character is left to look for
 */
export function mayHide(yaml: string, ascii: boolean): boolean {
  if (ascii ? yaml.includes('\x7F') : UNUSUAL.test(yaml)) return true
  return yaml.includes('\\') && TELLING_ESCAPE.test(yaml)
}

/** An escape that may stand for a character which is not shown: neither a quote, a slash, a blank nor a line's end. */
const TELLING_ESCAPE = /\\[^"\\/nrt \n\r]/

/** `U+` and at least four hexadecimal digits. */
export function nameCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

const PRINTABLE = /^[ -~]*$/

/** The first character that looks like nothing, or like a space and is none, as `U+200B`: for names and rules. */
export function findUnseen(text: string): string | undefined {
  if (PRINTABLE.test(text)) return undefined
  const index = text.search(UNSEEN())
  return index === -1 ? undefined : nameCodePoint(text.slice(index))
}

const UNSEEN = unicodeExpression(String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}`, 'gu')

/** A value as a message shows it: in quotes, cut after 60 characters, what cannot be seen written out. */
export function quote(value: string): string {
  const shown = value.length <= 60 ? value : `${value.slice(0, 60).replace(/[\uD800-\uDBFF]$/, '')}…`
  if (PRINTABLE.test(shown)) return `"${shown}"`
  return `"${shown.replaceAll(UNSEEN(), (character) => `<${nameCodePoint(character)}>`)}"`
}
