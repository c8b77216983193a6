import { describe, expect, it } from 'vitest'
import { parseSkill } from '../src/internal.ts'

const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const utf16 = (text: string) => new Uint8Array(new Uint16Array(Array.from(text, (c) => c.charCodeAt(0))).buffer)

describe('encoding', () => {
  it.each([
    ['a byte that is not UTF-8, in the frontmatter', latin1('---\nname: pdf\ndescription: caf\xE9\n---\n'), 3],
    ['a byte that is not UTF-8, in the body', latin1('---\nname: pdf\ndescription: x\n---\n\nok\ncaf\xE9\n'), 7],
    ['an encoded surrogate', latin1('---\nname: pdf\ndescription: \xED\xA0\x80\n---\n'), 3],
    ['an overlong sequence', latin1('---\nname: pdf\ndescription: \xC0\xAF\n---\n'), 3],
    ['a sequence that is cut off', latin1('---\nname: pdf\ndescription: x\n---\n\xE2\x82'), 5],
    ['NUL in the frontmatter', latin1('---\nname: pdf\ndescription: a\0b\n---\n'), 3],
    ['NUL in the body', latin1('---\nname: pdf\ndescription: x\n---\na\nb\0\n'), 6],
    ['ESC in the frontmatter', latin1('---\nname: pdf\ndescription: \x1B[31m\n---\n'), 3],
    ['UTF-16', utf16('\uFEFF---\nname: pdf\n---\n'), 1],
  ])('[MAN-2, ABUSE-12] refuses %s, and names the line', async (_, bytes, line) => {
    for (const profile of ['strict', 'default', 'lenient'] as const) {
      const document = await parseSkill(bytes, { profile })
      expect(document).not.toHaveProperty('manifest')
      expect(document).not.toHaveProperty('body')
      expect(document.diagnostics).toMatchObject([{ code: 'ENCODING_INVALID', severity: 'error', line }])
    }
  })

  it('[ABUSE-12] refuses a lone surrogate in a string, which encoding would replace', async () => {
    const document = await parseSkill('---\nname: pdf\ndescription: x\n---\n\uDC00')
    expect(document.diagnostics).toMatchObject([{ code: 'ENCODING_INVALID', line: 5 }])
  })

  it.each(['\\uD800', '\\0', '\\x00', '\\u0000'])('[ABUSE-12] refuses the YAML escape %s', async (escape) => {
    for (const field of ['license', 'other', 'metadata: {a: [{b', 'name']) {
      const rest = field.includes('{') ? '}]}' : ''
      const named = field === 'name' ? '' : 'name: pdf\n'
      const document = await parseSkill(`---\n${named}description: x\n${field}: "a${escape}"${rest}\n---\n`)
      expect(document.manifest).toBeUndefined()
      expect(document.diagnostics).toMatchObject([{ code: 'ENCODING_INVALID', line: named === '' ? 3 : 4 }])
    }
  })

  it('[MAN-2] accepts a surrogate pair that JSON wrote as two escapes', async () => {
    const document = await parseSkill('---\nname: pdf\ndescription: x\nlicense: "\\ud83d\\ude00"\n---\n')
    expect(document.manifest?.license).toBe('\u{1F600}')
  })
})
