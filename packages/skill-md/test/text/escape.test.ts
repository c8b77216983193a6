import { sample } from '@repertoire/test-servers/properties'
import { describe, expect, it } from 'vitest'
import { oneLine, showInvisible, stripInvisible } from '../../src/internal.ts'

const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800\u{13430}-\u{1343F}\p{Noncharacter_Code_Point}]$/u

const CODES = Array.from({ length: 0x11_00_00 }, (_, code) => code)
const others = sample(CODES, 16)

/** All code points that nobody sees, and others, that fit a test; surrogates stand for halves of characters. */
function misjudged(isWrong: (character: string) => boolean): string[] {
  const suspects = CODES.filter((code) => code < 0x30_00 || UNSEEN.test(String.fromCodePoint(code)))
  const codes = new Set([...suspects, ...others.chosen])
  return [...codes].filter((code) => isWrong(String.fromCodePoint(code))).map((code) => code.toString(16))
}

describe(`what is not seen (of the others, ${others.text})`, () => {
  it('[ABUSE-105] removes every character that nobody sees, and no other', () => {
    const isHidden = (one: string): boolean => UNSEEN.test(one) || (/\p{Cc}/u.test(one) && one !== '\n' && one !== '\t')
    const left = (one: string): string => (/[\u2028\u2029]/.test(one) ? '\n' : isHidden(one) ? '' : one)
    expect(misjudged((one) => stripInvisible(`a${one}b`) !== `a${left(one)}b`)).toEqual([])
  })

  it('[ABUSE-105] shows every character that nobody sees by its number, and line ends', () => {
    const isHidden = (one: string): boolean => UNSEEN.test(one) || /[\p{Cc}\u2028\u2029]/u.test(one)
    expect(misjudged((one) => showInvisible(`a${one}b`).includes('\\u{') !== isHidden(one))).toEqual([])
  })
})

const JOINED = [
  ['a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
  ['an emoji with skin tone and joiner', '\u{1F469}\u{1F3FD}\u200D\u{1F4BB}'],
  ['an emoji with a variation selector and joiner', '\u{1F3F3}\uFE0F\u200D\u{1F308}'],
  ['a warning sign as an emoji', '\u26A0\uFE0F'],
  ['an arrow as text', '\u2192\uFE0E'],
  ['a keycap', '1\uFE0F\u20E3'],
  ['a Han variant', '\u8FBB\uFE00'],
  ['Persian', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  ['Hindi with a joiner', '\u0915\u094D\u200D\u0937'],
] as const

describe('joiners and variation selectors', () => {
  it.each(JOINED)('[ABUSE-105] stay in %s', (_, text) => {
    expect([stripInvisible(text), showInvisible(text)]).toEqual([text, text])
  })

  it.each(['\u200C', '\u200D', '\uFE00', '\uFE07', '\uFE0E', '\uFE0F'])(
    '[ABUSE-105] go where they have no use: %j',
    (one) => {
      for (const [before, after] of [
        ['a', 'b'],
        ['\u0436', '\u0437'],
        ['1', '2'],
        [' ', ' '],
        ['', ''],
        ['\u6F22', one === '\uFE00' ? '' : '\u5B57'],
      ] as const) {
        if (one === '\uFE00' && before === '\u6F22') continue
        expect(stripInvisible(`${before}${one}${after}`)).toBe(before + after)
      }
      // A second one in a row carries something else.
      for (const [, text] of JOINED)
        expect(stripInvisible(text.replace(/\u200C|\u200D|\uFE0E|\uFE0F/u, `$&${one}`))).not.toContain(`${one}${one}`)
    },
  )
})

it('a text for one line has single spaces, whatever blanks it has and however many', () => {
  const blanks = [' ', '\n', '\t', '\v', '\f', '\r', '\u00A0', '\u1680', '\u2028', '\u2029', '\u3000', '\uFEFF']
  const texts = blanks.flatMap((one) => [one, ...blanks.map((other) => one + other)])
  for (const blank of texts) {
    expect(oneLine(`a${blank}b c`)).toBe('a b c')
    expect(oneLine(`${blank}a b${blank}`)).toBe('a b')
  }
})
