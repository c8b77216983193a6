import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeName, parseSkill, type Profile } from '../../src/internal.ts'
import { runs, anyCharacter } from '@repertoire/test-servers/properties'

const PROFILES = ['strict', 'default', 'lenient'] as const

async function read(name: string, profile: Profile = 'default', folderName?: string) {
  const text = `---\ndescription: x\nname: ${JSON.stringify(name)}\n---\n`
  const { manifest, diagnostics } = await parseSkill(text, { profile, folderName })
  return { name: manifest?.name, found: diagnostics.map(({ severity, code }) => `${severity} ${code}`), diagnostics }
}

describe('name', () => {
  it.each(['a', 'pdf', 'pdf-2', '2024', 'a-b-c', 'x'.repeat(64)])(
    '[MAN-3] accepts %j in every profile',
    async (name) => {
      for (const profile of PROFILES) expect(await read(name, profile, name)).toMatchObject({ name, found: [] })
    },
  )

  it.each(['技能', 'мой-навык', 'café'])('[MAN-3] accepts %j with a warning of portability', async (name) => {
    for (const profile of PROFILES) {
      expect(await read(name, profile, name)).toMatchObject({ name, found: ['warning NAME_NOT_PORTABLE'] })
    }
  })

  it.each([
    ['my_skill', 'my-skill'],
    ['My Skill', 'my-skill'],
    ['ce:plan', 'ce-plan'],
    ['-my-skill', 'my-skill'],
    ['my-skill-', 'my-skill'],
    ['my--skill', 'my-skill'],
    ['C++', 'c'],
    ['PDF', 'pdf'],
    ['कौशल', 'कौशल'],
    ['🚀 launch', 'launch'],
  ])('[MAN-3, MAN-11] refuses %j in strict, keeps it in default, makes it %j in lenient', async (name, stable) => {
    const strict = await read(name, 'strict')
    expect(strict.name).toBeUndefined()
    expect(strict.found).toContain('error NAME_PATTERN')
    const byDefault = await read(name, 'default')
    expect(byDefault.name).toBe(name)
    expect(byDefault.found).toContain('warning NAME_PATTERN')
    const lenient = await read(name, 'lenient')
    expect(lenient.name).toBe(stable)
    expect(lenient.found.includes('warning NAME_NORMALIZED')).toBe(name !== stable)
  })

  it('[MAN-3] refuses uppercase letters of other alphabets in strict', async () => {
    expect((await read('НАВЫК', 'strict')).found).toContain('error NAME_PATTERN')
  })

  it('[MAN-3] counts code points, not code units', async () => {
    const name = '\u{20000}'.repeat(64)
    expect((await read(name, 'strict')).name).toBe(name)
    expect((await read(`${name}\u{20000}`, 'strict')).found).toContain('error NAME_TOO_LONG')
  })

  it('[MAN-3, ABUSE-10] takes a name of 65 characters with a warning, and in strict not at all', async () => {
    const name = 'x'.repeat(65)
    expect(await read(name)).toMatchObject({ name, found: ['warning NAME_TOO_LONG'] })
    expect(await read(name, 'lenient')).toMatchObject({ name, found: ['warning NAME_TOO_LONG'] })
    expect(await read(name, 'strict')).toMatchObject({ name: undefined, found: ['error NAME_TOO_LONG'] })
  })

  it('[MAN-15, ABUSE-10] takes no name that no folder could have', async () => {
    for (const profile of PROFILES) expect((await read('x'.repeat(256), profile)).name).toBeUndefined()
  })

  it('[MAN-3] trims, and compares with the folder after NFKC', async () => {
    expect(await read('  pdf ', 'strict', 'pdf')).toMatchObject({ name: 'pdf', found: [] })
    const decomposed = await read('cafe\u0301', 'strict', 'caf\u00E9')
    expect(decomposed).toMatchObject({ name: 'caf\u00E9', found: ['warning NAME_NOT_PORTABLE'] })
    expect(await read('caf\u00E9', 'strict', 'cafe\u0301')).toMatchObject({ name: 'caf\u00E9' })
  })

  it('[MAN-3] warns where the folder has another name, and refuses it in strict', async () => {
    expect(await read('pdf', 'default', 'PDF')).toMatchObject({ name: 'pdf', found: ['warning NAME_FOLDER_MISMATCH'] })
    expect(await read('pdf', 'lenient', 'docs')).toMatchObject({ name: 'pdf', found: ['warning NAME_FOLDER_MISMATCH'] })
    const strict = await read('pdf', 'strict', 'docs')
    expect(strict).toMatchObject({ name: undefined, found: ['error NAME_FOLDER_MISMATCH'] })
    expect(strict.diagnostics[0]).toMatchObject({ line: 3, message: 'The name is "pdf", and the folder is "docs".' })
  })

  it.each(['2024-01-01', 'true', 'null', '~', '42', '1.0', '0x1F', '1e3', '[a]', '{a: b}', '2024-1-1 10:00:00'])(
    '[MAN-3, ABUSE-8] does not make text of %s, as a name or as a description',
    async (value) => {
      for (const profile of PROFILES) {
        for (const [key, other] of [
          ['name', 'description'],
          ['description', 'name'],
        ]) {
          const { manifest, diagnostics } = await parseSkill(`---\n${other}: x\n${key}: ${value}\n---\n`, { profile })
          expect(manifest).toBeUndefined()
          expect(diagnostics).toMatchObject([{ code: 'FIELD_TYPE', severity: 'error', line: 3 }])
        }
      }
    },
  )

  it('[MAN-3, ABUSE-8] takes the same values in quotes', async () => {
    expect(await read('2024-01-01', 'strict')).toMatchObject({ name: '2024-01-01', found: [] })
    expect(await read('true', 'strict')).toMatchObject({ name: 'true', found: [] })
  })

  it.each([
    ['a path that climbs', '../x'],
    ['an absolute path', '/etc'],
    ['a backslash', 'a\\b'],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a full-width slash', '..\uFF0Fx'],
    ['a device', 'CON'],
    ['a device in lowercase', 'nul'],
    ['a device with an ending', 'com1.txt'],
    ['a full-width device', '\uFF23\uFF2F\uFF2E'],
    ['a line end', 'a\nb'],
    ['an escape', 'a\u001Bb'],
    ['a zero-width space', 'pd\u200Bf'],
    ['a bidi override', 'pdf\u202E'],
    ['tag characters', 'pdf\u{E0041}'],
    ['a Hangul filler', 'pdf\u3164'],
    ['a Persian non-joiner', '\u0645\u06CC\u200C\u062E'],
    ['a no-break space', 'a\u00A0b'],
    ['a blank of Braille', 'pdf\u2800'],
    ['a character that is not assigned', 'pdf\u0378'],
    ['one of private use', 'pdf\uE000'],
    ['a replaced object', 'pdf\uFFFC'],
  ])('[MAN-15, ABUSE-9, ABUSE-13] refuses %s in every profile', async (_, name) => {
    for (const profile of PROFILES) {
      expect(await read(name, profile)).toMatchObject({ name: undefined, found: ['error NAME_UNSAFE'] })
    }
  })

  it('[MAN-11] reads words with a slash as one stable name in lenient only', async () => {
    expect(await read('kit/ios', 'lenient')).toMatchObject({ name: 'kit-ios', found: ['warning NAME_NORMALIZED'] })
    expect((await read('kit/ios', 'default')).found).toEqual(['error NAME_UNSAFE'])
    for (const name of ['kit/../ios', 'kit//ios', 'kit/.ios', '/kit', 'kit/', 'kit/ios\\x']) {
      expect((await read(name, 'lenient')).found).toEqual(['error NAME_UNSAFE'])
    }
  })

  it('[ABUSE-9] reports a full-width name, and one with a Cyrillic letter that looks Latin', async () => {
    const fullWidth = await read('\uFF50\uFF44\uFF46')
    expect(fullWidth).toMatchObject({ name: 'pdf', found: ['warning NAME_NORMALIZED'] })
    const mixed = await read('\u0440df')
    expect(mixed.found).toEqual(['warning NAME_NOT_PORTABLE'])
    expect(mixed.diagnostics[0]?.message).toContain('U+0440')
  })

  it('[MAN-10] skips a skill without a name, and says what to add', async () => {
    for (const text of [
      'description: x',
      'description: x\nname:',
      'description: x\nname: ""',
      'description: x\nname: "  "',
    ]) {
      for (const profile of PROFILES) {
        const { manifest, diagnostics } = await parseSkill(`---\n${text}\n---\n`, { profile, folderName: 'pdf' })
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([{ code: 'NAME_MISSING', severity: 'error', hint: expect.any(String) }])
      }
    }
  })

  it('[MAN-11] skips a name that normalises to nothing, in every profile', async () => {
    for (const name of ['!!!', '???', '---', '🚀']) {
      for (const profile of PROFILES) {
        expect(await read(name, profile)).toMatchObject({ name: undefined, found: ['error NAME_MISSING'] })
      }
    }
  })

  it('[MAN-11] normalises to the same id, however often', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' })), (name) => {
        const stable = normalizeName(name)
        expect(normalizeName(stable)).toBe(stable)
        expect(stable).toMatch(/^(?:[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*)?$/u)
      }),
      { numRuns: runs(300) },
    )
  })
})
