import { describe, expect, it } from 'vitest'
import { parseSkill, type Profile } from '../../src/internal.ts'

const PROFILES = ['strict', 'default', 'lenient'] as const
const NOT_STRICT = ['default', 'lenient'] as const

const read = (rest: string, profile: Profile = 'default') =>
  parseSkill(`---\nname: pdf\ndescription: Reads PDF files.\n${rest}\n---\n`, { profile, folderName: 'pdf' })
const describeAs = (description: string, profile: Profile = 'default') =>
  parseSkill(`---\nname: pdf\ndescription: ${description}\n---\n`, { profile })

describe('standard fields', () => {
  it('[MAN-3] reads them all, in every profile, without a finding', async () => {
    const rest = [
      'license: Apache-2.0',
      'compatibility: Needs poppler.',
      'metadata:\n  author: me\n  version: "1.0"',
      'allowed-tools: Bash(git:*) Read',
    ].join('\n')
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await read(rest, profile)
      expect(diagnostics).toEqual([])
      expect(manifest).toEqual({
        name: 'pdf',
        description: 'Reads PDF files.',
        license: 'Apache-2.0',
        compatibility: 'Needs poppler.',
        metadata: { author: 'me', version: '1.0' },
        allowedTools: [{ tool: 'Bash', pattern: 'git:*' }, { tool: 'Read' }],
        type: 'instruction',
        status: 'active',
        context: 'inherit',
        hooks: { pre: [], post: [] },
        priority: 0,
        tags: [],
        scope: {},
        toolsets: [],
        triggers: { keywords: [], verbs: [], patterns: [] },
        disableModelInvocation: false,
        userInvocable: true,
        extra: {},
      })
    }
  })

  it('[MAN-3] leaves out what the author left out', async () => {
    const { manifest } = await read('# nothing more')
    for (const key of ['license', 'compatibility', 'allowedTools', 'model', 'agent'])
      expect(manifest).not.toHaveProperty(key)
  })

  it.each([
    ['plain on several lines', 'one\n  two\n\n  three', 'one two\nthree'],
    ['in double quotes', '"a \\"b\\" \\n c"', 'a "b" \n c'],
    ['in single quotes', "'it''s'", "it's"],
    ['literal', '|\n  one\n    two\n', 'one\n  two'],
    ['folded', '>-\n  one\n  two', 'one two'],
    ['with blanks around it', '"  x  "', 'x'],
  ])('[MAN-3] reads a description %s', async (_, written, description) => {
    for (const profile of PROFILES) {
      expect(await describeAs(written, profile)).toMatchObject({ manifest: { description }, diagnostics: [] })
    }
  })

  it('[MAN-3, ABUSE-10] counts 1,024 code points of description', async () => {
    const fits = '\u{1F600}'.repeat(1024)
    expect(await describeAs(fits, 'strict')).toMatchObject({ manifest: { description: fits }, diagnostics: [] })
    const long = `${fits}x`
    const strict = await describeAs(long, 'strict')
    expect(strict.manifest).toBeUndefined()
    expect(strict.diagnostics).toMatchObject([{ code: 'DESCRIPTION_TOO_LONG', severity: 'error', line: 3 }])
    for (const profile of NOT_STRICT) {
      const { manifest, diagnostics } = await describeAs(long, profile)
      expect(manifest?.description).toBe(long)
      expect(diagnostics).toMatchObject([{ code: 'DESCRIPTION_TOO_LONG', severity: 'warning', line: 3 }])
    }
  })

  it.each(['', '""', '"  \\n "', '|\n'])(
    '[MAN-10, ABUSE-10] skips a skill whose description is %j',
    async (written) => {
      for (const profile of PROFILES) {
        const { manifest, diagnostics } = await describeAs(written, profile)
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([{ code: 'DESCRIPTION_MISSING', severity: 'error', line: 3 }])
      }
    },
  )

  it('[MAN-10] skips a skill without a description', async () => {
    const { manifest, diagnostics } = await parseSkill('\uFEFF---\nname: pdf\nlicense: MIT\n---\n')
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'DESCRIPTION_MISSING', severity: 'error', line: 1 }])
  })

  it('[MAN-10] points at the field that was meant', async () => {
    const { diagnostics } = await parseSkill('---\nname: pdf\nDescription: x\n---\n')
    expect(diagnostics).toMatchObject([
      { code: 'FIELD_MISSPELLED', severity: 'warning', line: 3 },
      { code: 'DESCRIPTION_MISSING', severity: 'error', line: 3, hint: 'Write "Description" as "description".' },
    ])
  })

  it.each([
    ['1.10', '1.10'],
    ['1.0', '1.0'],
    ['1e3', '1e3'],
    ['0x1F', '0x1F'],
    ['true', 'true'],
    ['null', 'null'],
    ['~', '~'],
    ['', ''],
    ['2024-01-01', '2024-01-01'],
    ['"a b"', 'a b'],
    ['12345678901234567890', '12345678901234567890'],
  ])('[MAN-3] keeps the spelling of the metadata value %s; strict accepts only text', async (written, kept) => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await read(`metadata:\n  version: ${written}`, profile)
      if (profile === 'strict' && !/^["2]/.test(written)) {
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([{ code: 'METADATA_VALUE', severity: 'error', line: 5 }])
        continue
      }
      expect(manifest?.metadata).toEqual({ version: kept })
      expect(diagnostics).toEqual([])
    }
  })

  it('[MAN-3] keeps lists and mappings under metadata as compact JSON with a warning, in strict not', async () => {
    const rest = 'metadata:\n  a: x\n  list: [1, 1.10, "y", null]\n  map:\n    deep: {k: 0x1F, l: true}'
    const found = [
      { code: 'METADATA_VALUE', line: 6 },
      { code: 'METADATA_VALUE', line: 7 },
    ]
    for (const profile of NOT_STRICT) {
      const { manifest, diagnostics } = await read(rest, profile)
      expect(manifest?.metadata).toEqual({ a: 'x', list: '[1,1.1,"y",null]', map: '{"deep":{"k":31,"l":true}}' })
      expect(diagnostics).toMatchObject(found.map((finding) => ({ ...finding, severity: 'warning' })))
    }
    const strict = await read(rest, 'strict')
    expect(strict.manifest).toBeUndefined()
    expect(strict.diagnostics).toMatchObject(found.map((finding) => ({ ...finding, severity: 'error' })))
  })

  it.each([
    ['metadata: just words', 'FIELD_TYPE', { metadata: {}, extra: { metadata: 'just words' } }],
    ['metadata: [a]', 'FIELD_TYPE', { metadata: {}, extra: { metadata: ['a'] } }],
    ['metadata:', 'FIELD_EMPTY', { metadata: {}, extra: {} }],
    ['license: 2.0', 'FIELD_TYPE', { license: '2.0', extra: {} }],
    ['license: [MIT]', 'FIELD_TYPE', { extra: { license: ['MIT'] } }],
    ['license: ~', 'FIELD_EMPTY', { extra: {} }],
    ['compatibility: ""', 'FIELD_EMPTY', { extra: {} }],
    ['compatibility: {os: linux}', 'FIELD_TYPE', { extra: { compatibility: { os: 'linux' } } }],
    [`compatibility: ${'x'.repeat(501)}`, 'FIELD_TOO_LONG', { compatibility: 'x'.repeat(501), extra: {} }],
  ])('[MAN-3] takes "%s" with a warning, in strict not', async (rest, code, manifest) => {
    for (const profile of NOT_STRICT) {
      const result = await read(rest, profile)
      expect(result).toMatchObject({ manifest, diagnostics: [{ code, severity: 'warning', line: 4 }] })
      if (!('license' in manifest)) expect(result.manifest).not.toHaveProperty('license')
      if (!('compatibility' in manifest)) expect(result.manifest).not.toHaveProperty('compatibility')
    }
    const strict = await read(rest, 'strict')
    expect(strict.manifest).toBeUndefined()
    expect(strict.diagnostics).toMatchObject([{ code, severity: 'error', line: 4 }])
  })

  it('[MAN-3] accepts 500 characters of compatibility', async () => {
    expect((await read(`compatibility: ${'x'.repeat(500)}`, 'strict')).diagnostics).toEqual([])
  })

  it('[ABUSE-13] reports hidden characters in text for people, and loads', async () => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await describeAs('a\u200Bb \u202E', profile)
      expect(manifest?.description).toBe('a\u200Bb \u202E')
      expect(diagnostics).toMatchObject([{ code: 'HIDDEN_CHARACTERS', severity: 'warning', line: 3 }])
      expect(diagnostics[0]!.message).toContain('U+200B, U+202E')
    }
    expect((await describeAs('\u{1F469}\u200D\u{1F4BB} \u0645\u06CC\u200C\u062E')).diagnostics).toEqual([])
  })

  it.each(['"allowed-tools\u200B": Read', 'li\u00ADcense: MIT'])('[ABUSE-13] refuses the key in %j', async (rest) => {
    const { manifest, diagnostics } = await read(rest)
    expect(manifest).toBeUndefined()
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'HIDDEN_CHARACTERS', severity: 'error', line: 4 }),
    )
  })
})
