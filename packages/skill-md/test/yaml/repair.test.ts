import { describe, expect, it } from 'vitest'
import { parseSkill } from '../../src/internal.ts'

const skill = (rest: string) => `---\nname: pdf\n${rest}\n---\nBody`

describe('repair', () => {
  it.each([
    ['an unquoted colon', 'Use this when: reading', ': '],
    ['two unquoted colons', 'Steps: (1) read: all', ': '],
    ['a colon at the end', 'Triggers on:', ': '],
    ['a colon and apostrophes', "It's simple: don't", ': '],
    ['a leading @', '@Observable and @State', 'reserved'],
    ['a leading backtick', '`pdf` files', 'reserved'],
    ['a leading percent sign', '%d files', 'reserved'],
    ['a leading comma', ', it might be cut', 'reserved'],
    ['text after brackets', '[file] [mode]', ']'],
    ['a link', '[PDF](https://example.com) reader', ']'],
    ['text after braces', '{x} does this', '}'],
    ['text after two braces', '{{name}} greets: all', '}'],
    ['text after quotes', '"Fast" and simple', 'quote'],
    ['text after single quotes', "'Fast' and simple", 'quote'],
    ['text after emphasis', '*Fast* and simple', '"*"'],
    ['text after strong emphasis', '**Fast**: and simple', '"*"'],
  ])('[MAN-9] repairs %s with a warning that names the line', async (_, value, what) => {
    for (const profile of ['default', 'lenient'] as const) {
      const { manifest, diagnostics } = await parseSkill(skill(`license: MIT\ndescription: ${value}`), { profile })
      expect(manifest).toMatchObject({ name: 'pdf', description: value, license: 'MIT' })
      expect(diagnostics).toMatchObject([
        { code: 'YAML_REPAIRED', severity: 'warning', line: 4, message: expect.stringContaining('"description"') },
      ])
      expect(diagnostics[0]!.message).toContain(what)
    }
  })

  it('[MAN-9] repairs several lines, each with its own warning', async () => {
    const text = skill('description: Use when: reading\nargument-hint: [a] [b]\nmetadata:\n  author: @me')
    const { manifest, diagnostics } = await parseSkill(text)
    expect(manifest).toMatchObject({
      description: 'Use when: reading',
      metadata: { author: '@me' },
      argumentHint: '[a] [b]',
      extra: {},
    })
    expect(diagnostics.filter(({ code }) => code === 'YAML_REPAIRED').map(({ line }) => line)).toEqual([3, 4, 6])
  })

  it('[MAN-9] repairs the items of a list that begin with @', async () => {
    const text = skill('description: x\nkeywords: [ if, @if, @for ]')
    const { manifest } = await parseSkill(text)
    expect(manifest?.extra).toEqual({ keywords: ['if', '@if', '@for'] })
  })

  it('[MAN-9] repairs a file with CRLF', async () => {
    const { manifest, body } = await parseSkill('---\r\nname: pdf\r\ndescription: Use when: x\r\n---\r\nBody\r\n')
    expect(manifest?.description).toBe('Use when: x')
    expect(body).toBe('Body\r\n')
  })

  it('[MAN-3, MAN-9] repairs nothing in strict and says what to put in quotes', async () => {
    const { manifest, diagnostics } = await parseSkill(skill('description: Use when: reading'), { profile: 'strict' })
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([
      { code: 'YAML_INVALID', severity: 'error', line: 3, hint: expect.stringContaining('"description"') },
    ])
  })

  it.each([
    ['a comment may have been meant', 'description: Use when: reading # issue 5'],
    ['the value may go on', 'description: Use when: reading\n  or: writing'],
    ['a mapping may have been meant', 'metadata: author: me\n  version: 1'],
    ['quotes are not closed', 'description: "Use when: reading'],
    ['quotes end early', 'description: "Use" when: reading'],
    ['quotes hold quotes', "description: 'It's simple, isn't it'"],
    ['quoted texts stand in a row', 'description: "a", "b"'],
    ['braces hold quotes', 'description: {"a": 1} b'],
    ['brackets are nested', 'description: [[a] b] c'],
    ['a list holds a mapping', 'keywords: [@a, b: c]'],
    ['the text may have been meant as a block', 'description: > Use when: reading'],
    ['a line has no key', 'description: x\nUse when'],
  ])('[MAN-9] leaves alone what could be read in two ways: %s', async (_, rest) => {
    const { manifest, diagnostics } = await parseSkill(skill(rest), { profile: 'lenient' })
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'YAML_INVALID', severity: 'error' }])
  })

  it('[MAN-9, ABUSE-33] does not turn a broken rule into a good one', async () => {
    const { manifest, diagnostics } = await parseSkill(skill('description: x\nallowed-tools: [Read] [Bash(git:*)]'))
    expect(manifest).toBeUndefined()
    expect(diagnostics.map(({ code }) => code)).toContain('ALLOWED_TOOLS_INVALID')
  })

  it('[MAN-9, MAN-15] gives up on a file of nothing but such lines', async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `k${index}: a: b`).join('\n')
    const { manifest, diagnostics } = await parseSkill(skill(`description: x\n${lines}`))
    expect(manifest).toBeUndefined()
    expect(diagnostics).toMatchObject([{ code: 'YAML_INVALID', line: 4 }])
  })
})
