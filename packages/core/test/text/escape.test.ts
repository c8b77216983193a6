import { describe, expect, it } from 'vitest'
import { oneLine, showInvisible, stripInvisible } from '../../src/text/escape.ts'

const JOINERS = /^(?:\u200C|\u200D|[\uFE00-\uFE0F])$/
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]$/u

/** All code points that fit a test; surrogates stand for halves of characters that are cut. */
function misjudged(isWrong: (character: string) => boolean): string[] {
  const found: string[] = []
  for (let code = 0; code <= 0x10_ff_ff; code++) {
    if (isWrong(String.fromCodePoint(code))) found.push(code.toString(16))
  }
  return found
}

describe('what is not seen', () => {
  it('[ABUSE-105] removes every character that nobody sees, and no other', () => {
    const isHidden = (one: string): boolean =>
      (UNSEEN.test(one) && !JOINERS.test(one)) || (/\p{Cc}/u.test(one) && one !== '\n' && one !== '\t')
    expect(misjudged((one) => stripInvisible(`a${one}b`) !== (isHidden(one) ? 'ab' : `a${one}b`))).toEqual([])
  })

  it('[ABUSE-105] shows every character that nobody sees by its number, and line ends', () => {
    const isHidden = (one: string): boolean =>
      (UNSEEN.test(one) && !JOINERS.test(one)) || /[\p{Cc}\u2028\u2029]/u.test(one)
    expect(misjudged((one) => showInvisible(`a${one}b`).includes('\\u{') !== isHidden(one))).toEqual([])
  })
})

it('a text for one line has single spaces, whatever blanks it has and however many', () => {
  const blanks = [' ', '\n', '\t', '\v', '\f', '\r', '\u00A0', '\u1680', '\u2028', '\u2029', '\u3000', '\uFEFF']
  const texts = blanks.flatMap((one) => [one, ...blanks.map((other) => one + other)])
  for (const blank of texts) {
    expect(oneLine(`a${blank}b c`)).toBe('a b c')
    expect(oneLine(`${blank}a b${blank}`)).toBe('a b')
  }
})
