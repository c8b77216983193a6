import { sample } from '@repertoire/test-servers/properties'
import { describe, expect, it } from 'vitest'
import * as yaml from 'js-yaml'
import { findHidden, mayHide } from '../src/text/hidden.ts'
import { createYamlReader } from '../src/yaml/yaml.ts'

const readYaml = createYamlReader(yaml)

const CODES = Array.from({ length: 0x11_00_00 }, (_, code) => code)
const others = sample(CODES, 16)

describe('hidden characters', () => {
  it.each([
    ['a zero-width space', 'a\u200Bb', 1, ['U+200B']],
    ['a zero-width joiner between Latin letters', 'a\u200Db', 1, ['U+200D']],
    ['a non-joiner between Latin letters', 'a\u200Cb', 1, ['U+200C']],
    ['a bidi override', 'ab\u202Ec', 2, ['U+202E']],
    ['a bidi isolate', '\u2066a\u2069', 0, ['U+2066', 'U+2069']],
    ['tag characters', 'a\u{E0041}\u{E0042}', 1, ['U+E0041', 'U+E0042']],
    ['tags after a flag that is none', '\u{1F3F3}\u{E0067}', 2, ['U+E0067']],
    ['a run of variation selectors', '\u26A0\uFE0F\uFE0E\uFE0F', 2, ['U+FE0E', 'U+FE0F']],
    ['a supplementary variation selector', 'a\u{E0100}', 1, ['U+E0100']],
    ['a second BOM', 'a\uFEFF', 1, ['U+FEFF']],
    ['a Hangul filler', 'a\u3164b', 1, ['U+3164']],
    ['a soft hyphen', 'a\u00ADb', 1, ['U+00AD']],
    ['an escape', '\u001B[31m', 0, ['U+001B']],
    ['a C1 control', 'a\u009Bb', 1, ['U+009B']],
    ['a second joiner in Persian', '\u0645\u06CC\u200C\u200C\u062E', 3, ['U+200C']],
  ])('[ABUSE-13] finds %s', (_, text, index, codePoints) => {
    expect(findHidden(text)).toEqual({ index, codePoints })
  })

  it.each([
    ['a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['an emoji with skin tone and joiner', '\u{1F469}\u{1F3FD}\u200D\u{1F4BB}'],
    ['an emoji with a variation selector and joiner', '\u{1F3F3}\uFE0F\u200D\u{1F308}'],
    ['a warning sign as an emoji', '\u26A0\uFE0F'],
    ['a keycap', '1\uFE0F\u20E3'],
    ['the flag of Scotland', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['Persian', '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
    ['Hindi with a joiner', '\u0915\u094D\u200D\u0937'],
    ['a Han variant', '\u845B\u{E0100}'],
    ['tabs and line ends', 'a\tb\r\nc'],
    ['Hebrew', '\u05E9\u05DC\u05D5\u05DD'],
  ])('[ABUSE-13] lets %s be', (_, text) => {
    expect(findHidden(text)).toBeUndefined()
  })

  it('[ABUSE-13] names at most eight different characters', () => {
    const text = Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0xe0041 + index)).join('')
    expect(findHidden(text)?.codePoints).toHaveLength(8)
  })

  it(`[ABUSE-13] passes over no character that is not shown, whatever is told at a glance (of the others, ${others.text})`, () => {
    const suspect =
      /^[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800\u{13430}-\u{1343F}\p{Noncharacter_Code_Point}]$|^(?![\t\n\r])\p{Cc}$/u
    const wrong: string[] = []
    const suspects = CODES.filter((code) => suspect.test(String.fromCodePoint(code)))
    for (const code of new Set([...suspects, ...others.chosen])) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      // Alone, no such character is a part of proper spelling.
      const isHidden = suspect.test(character)
      // What is not text is refused before YAML is parsed.
      const reaches = code >= 0x20 || code === 9 || code === 10 || code === 13
      const told = mayHide(character, false) && (code > 0x7f || mayHide(character, true))
      if ((findHidden(character) !== undefined) !== isHidden || (isHidden && reaches && !told)) {
        wrong.push(code.toString(16))
      }
    }
    expect(wrong).toEqual([])
  })

  it('[ABUSE-13] no escape of YAML hides a character from the glance', () => {
    // Every letter that may follow a backslash, with as many digits behind it as any takes.
    for (let code = 0x20; code <= 0x7e; code++) {
      for (const digits of ['', '0', '7f', '200b', '000e0041']) {
        const value = `x\\${String.fromCharCode(code)}${digits}y`
        const result = readYaml(`a: "${value}"\n`, 1)
        if (!('root' in result) || result.root.kind !== 'map') continue
        const [entry] = result.root.entries
        const text = entry?.value.kind === 'scalar' ? entry.value.source : ''
        if (findHidden(text) !== undefined) expect([value, mayHide(value, true)]).toEqual([value, true])
      }
    }
    expect(mayHide('a: "\\"b\\" \\\\ \\n"', true)).toBe(false)
  })

  it('[ABUSE-13] an escape of YAML may hide what findHidden finds', () => {
    expect([mayHide('a: "\\u200b"', true), mayHide('a: "é\\u200b"', false)]).toEqual([true, true])
    expect([mayHide('a: b', true), mayHide('a: b — é 技 🚀', false)]).toEqual([false, false])
  })
})
