/** Controls but tab and line ends, what is never drawn (zero-width, bidi, tags), and annotation marks. */
// eslint-disable-next-line no-control-regex
const SUSPECT = /[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\uFFF9-\uFFFB\p{Default_Ignorable_Code_Point}]/gu

/** Everything else is shown, or white space that YAML and Markdown are made of. */
const BEYOND_ASCII = /[^\t\n\r -~]/

const DRAWN = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Z}]$/u
const HAN = /\p{Script=Han}$/u
const EMOJI_BEFORE = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\uFE0F?$/u
const EMOJI_AFTER = /^\p{Extended_Pictographic}/u
/** The regional flags (England, Scotland, Wales) are a black flag spelled out in tag characters. */
const FLAG_TAGS = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{0,6}$/u

/** Scripts whose spelling needs the joiner and the non-joiner. */
const JOINING_SCRIPTS =
  'Arabic Syriac Mandaic Mongolian Nko Phags_Pa Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada ' +
  'Malayalam Sinhala Khmer Myanmar Tibetan'
const JOINED = new RegExp(
  `[${JOINING_SCRIPTS.split(' ')
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]$`,
  'u',
)

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
  // Nearly all texts hold nothing but printable ASCII, which is told at a tenth of the cost.
  if (!BEYOND_ASCII.test(text)) return undefined
  let index: number | undefined
  const codePoints = new Set<string>()
  for (const match of text.matchAll(SUSPECT)) {
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
  if (code === 0x200c) return JOINED.test(before)
  if (code === 0x200d) {
    const after = text.slice(index + 1, index + 3)
    return JOINED.test(before) || (EMOJI_BEFORE.test(before) && EMOJI_AFTER.test(after))
  }
  if (code >= 0xfe00 && code <= 0xfe0f) return DRAWN.test(before)
  if (code >= 0xe0100 && code <= 0xe01ef) return HAN.test(before)
  if (code >= 0xe0020 && code <= 0xe007f) return FLAG_TAGS.test(before)
  return false
}

/** `U+` and at least four hexadecimal digits. */
export function nameCodePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Whatever looks like nothing, or like a space and is none. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/u
const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu')

/** The first character that is not shown, as `U+200B`: for names and rules, where proper spelling needs none. */
export function findUnseen(text: string): string | undefined {
  const match = UNSEEN.exec(text)
  return match === null ? undefined : nameCodePoint(match[0])
}

/** A value as a message shows it: in quotes, cut after 60 characters, what cannot be seen written out. */
export function quote(value: string): string {
  const shown = value.length <= 60 ? value : `${value.slice(0, 60).replace(/[\uD800-\uDBFF]$/, '')}…`
  return `"${shown.replaceAll(EVERY_UNSEEN, (character) => `<${nameCodePoint(character)}>`)}"`
}
