/**
 * Returns the tokens of a word that has letters beyond ASCII, as tokenx estimates them, which compiles its expressions for
 * all languages before it looks at the first word. Undefined where a character is not among those that are known here.
 * @param start of the word, which is followed by a blank, a mark or the end of the text
 */
export function tokensOfForeignWord(text: string, start: number, end: number): number | undefined {
  let scripts = 0
  let hanzi = 0
  let kana = 0
  let hangul = 0
  let pictures = 0
  for (let at = start; at < end; at++) {
    const script = scriptAt(text, at)
    if (script === UNKNOWN) return undefined
    scripts |= script
    if (script === KANA) kana++
    else if (script === HANGUL) hangul++
    else hanzi++
    if (script === PICTURE) {
      pictures++
      // A pair of units.
      if (text.charCodeAt(at) >= 0xd800) at++
    }
  }
  if (pictures > 0) return scripts === PICTURE ? Math.ceil(pictures / 0.9) : undefined
  // In a word with one of these every other character counts as a Chinese one.
  if ((scripts & (HANZI | KANA | HANGUL)) !== 0) return Math.ceil(hanzi / 1.2 + kana / 1.35 + hangul / 1.65)
  const charsPerToken = CHARS_PER_TOKEN.find(([script]) => (scripts & script) !== 0)?.[1]
  return charsPerToken === undefined ? undefined : Math.ceil((end - start) / charsPerToken)
}

const UNKNOWN = 0
const PLAIN = 1
const GERMAN = 2
const ACCENTED = 4
const SLAVIC = 8
const CYRILLIC = 16
const GREEK = 32
const HANZI = 64
const KANA = 128
const HANGUL = 256
const PICTURE = 512

/** A word belongs to the first of which it has a letter. */
const CHARS_PER_TOKEN: readonly (readonly [script: number, chars: number])[] = [
  [GERMAN, 3],
  [ACCENTED, 4.5],
  [SLAVIC, 2.5],
  [CYRILLIC, 6],
  [GREEK, 3],
]

const GERMAN_LETTERS = 'äöüßÄÖÜ'
const ACCENTED_LETTERS = 'éèêëàâîïôûùÿçœæáíóúñÉÈÊËÀÂÎÏÔÛÙŸÇŒÆÁÍÓÚÑ'
const SLAVIC_LETTERS = 'ąćęłńśźżěščřžýůďťňĄĆĘŁŃŚŹŻĚŠČŘŽÝŮĎŤŇ'

function scriptAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 0x80) return PLAIN
  if (code < 0x180) {
    const letter = text.charAt(at)
    if (GERMAN_LETTERS.includes(letter)) return GERMAN
    if (ACCENTED_LETTERS.includes(letter)) return ACCENTED
    return SLAVIC_LETTERS.includes(letter) ? SLAVIC : UNKNOWN
  }
  if ((code >= 0x410 && code <= 0x44f) || code === 0x401 || code === 0x451) return CYRILLIC
  if ((code >= 0x3ac && code <= 0x3ce) || (code >= 0x391 && code <= 0x3a9 && code !== 0x3a2)) return GREEK
  // Dashes and quotes.
  if (code >= 0x2010 && code <= 0x2027) return PLAIN
  // All but the dot between words, which is a mark.
  if (code >= 0x3041 && code <= 0x30ff) return code === 0x30fb ? UNKNOWN : KANA
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf)) return HANZI
  if (code >= 0xac00 && code <= 0xd7a3) return HANGUL
  if (code === 0x2705) return PICTURE
  return code === 0xd83d && isPicture(text.charCodeAt(at + 1)) ? PICTURE : UNKNOWN
}

/** Whether it is the second unit of animals, faces or vehicles: those of these blocks that are pictures in every version of Unicode. */
function isPicture(unit: number): boolean {
  return (unit >= 0xdc00 && unit <= 0xdcfd) || (unit >= 0xde00 && unit <= 0xde4f) || (unit >= 0xde80 && unit <= 0xdec5)
}
