import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatRule, parseAllowedTools, parseSkill } from '../../src/internal.ts'
import { runs } from '@repertoire/test-servers/properties'

const PROFILES = ['strict', 'default', 'lenient'] as const
const skill = (rest: string) => `---\nname: pdf\ndescription: x\n${rest}\n---\n`

const rule = (text: string) => {
  const open = text.indexOf('(')
  return open === -1 ? { tool: text } : { tool: text.slice(0, open), pattern: text.slice(open + 1, -1) }
}

describe('allowed-tools', () => {
  it.each([
    ['Read', ['Read']],
    ['Bash(git:*) Bash(jq:*) Read', ['Bash(git:*)', 'Bash(jq:*)', 'Read']],
    ['Read, Bash(git status), Write', ['Read', 'Bash(git status)', 'Write']],
    ['Read,Write ,\tEdit,,Grep,', ['Read', 'Write', 'Edit', 'Grep']],
    ['Bash(npm run test:*)', ['Bash(npm run test:*)']],
    ['Bash(a, b) Bash(echo (x) (y))', ['Bash(a, b)', 'Bash(echo (x) (y))']],
    ['WebFetch(domain:*.example.com)', ['WebFetch(domain:*.example.com)']],
    ['Read(docs/**) Write(*)', ['Read(docs/**)', 'Write(*)']],
    ['mcp__github__*  mcp__github__get_*', ['mcp__github__*', 'mcp__github__get_*']],
    ['mcp__github__search Azure/docs functions.exec', ['mcp__github__search', 'Azure/docs', 'functions.exec']],
    ['Read\nWrite\r\n', ['Read', 'Write']],
    ['Bash(技能 *)', ['Bash(技能 *)']],
    ['', []],
    [' , ', []],
  ])('[MAN-8, ABUSE-34] reads %j', (text, rules) => {
    expect(parseAllowedTools(text)).toMatchObject({ ok: true, rules: rules.map(rule) })
  })

  it('[MAN-8, ABUSE-34] reads one rule from each entry of a list', () => {
    const list = ['Read', ' Bash(git:*) ', 'Bash(ls *)']
    expect(parseAllowedTools(list)).toMatchObject({ ok: true, rules: ['Read', 'Bash(git:*)', 'Bash(ls *)'].map(rule) })
    for (const entry of ['Read Write', 'Read, Write', '', 'Azure MCP/docs']) {
      expect(parseAllowedTools([entry])).toMatchObject({ ok: false, rule: entry })
    }
  })

  it.each([
    ['Bash(git:*', 'is not closed'],
    ['Bash(git:* Read', 'is not closed'],
    ['Bash((git:*)', 'is not closed'],
    ['Bash(git:*))', 'continues after ")"'],
    ['Bash(git:*)Read', 'continues after ")"'],
    ['Bash(git:* push)', 'does not end a prefix'],
    ['Bash (git:*)', 'does not begin with the name'],
    ['(git:*)', 'does not begin with the name'],
    ['Bash)', 'does not begin with the name'],
    ['Bash()', 'has a blank pattern'],
    ['Bash(  )', 'has a blank pattern'],
    ['Bash( git:*)', 'blanks around it'],
    ['Bash(:*)', 'does not end a prefix'],
    ['*', 'does not begin with the name'],
    ['Ba*', 'does not begin with the name'],
    ['mcp__*', 'does not begin with the name'],
    ['mcp__a__*b', 'does not begin with the name'],
    ['"Bash"', 'does not begin with the name'],
    ['Read;Write', 'does not begin with the name'],
    ['-Bash', 'does not begin with the name'],
    ['B\u0430sh', 'does not begin with the name'],
    ['Bash(git\u00A0status)', 'U+00A0'],
    ['Read\u00A0Write', 'U+00A0'],
    ['Read\u200B', 'U+200B'],
    ['Bash(git\u202E)', 'U+202E'],
    ['Bash(a\nb)', 'U+000A'],
    ['Bash(\u{E0041})', 'U+E0041'],
  ])('[MAN-8, ABUSE-33, ABUSE-34] refuses the whole field for %j', (text, problem) => {
    expect(parseAllowedTools(text)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) })
    expect(parseAllowedTools(`Read ${text}`)).toMatchObject({ ok: false })
    expect(parseAllowedTools(['Read', text])).toMatchObject({ ok: false })
  })

  it('[MAN-8, ABUSE-33] refuses a skill with a malformed rule in every profile, and says where', async () => {
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(skill('allowed-tools: Read Bash(git:*'), { profile })
      expect(manifest).toBeUndefined()
      expect(diagnostics).toMatchObject([
        {
          code: 'ALLOWED_TOOLS_INVALID',
          severity: 'error',
          line: 4,
          message: 'The field "allowed-tools" holds "Bash(git:*", which is not closed.',
          hint: 'Add ")".',
        },
      ])
    }
  })

  it('[MAN-8, ABUSE-33] names the line of the malformed entry of a list', async () => {
    const { diagnostics } = await parseSkill(skill('allowed-tools:\n  - Read\n  - Bash(git:*'))
    expect(diagnostics).toMatchObject([{ code: 'ALLOWED_TOOLS_INVALID', line: 6 }])
  })

  it.each(['true', '42', '2024-01-01', '{Bash: git}', '[Read, [Write]]', '[Read, null]', '[Read, {Bash: x}]'])(
    '[MAN-8, ABUSE-33] refuses %s',
    async (value) => {
      for (const profile of PROFILES) {
        const { manifest, diagnostics } = await parseSkill(skill(`allowed-tools: ${value}`), { profile })
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([{ code: 'ALLOWED_TOOLS_INVALID', line: 4 }])
      }
    },
  )

  it('[MAN-8] tells absent, which restricts nothing, from empty, which allows nothing', async () => {
    expect((await parseSkill(skill('license: MIT'))).manifest).not.toHaveProperty('allowedTools')
    for (const value of ['""', '[]', "' '", '']) {
      expect((await parseSkill(skill(`allowed-tools: ${value}`))).manifest?.allowedTools).toEqual([])
    }
  })

  it('[MAN-8] warns that a field without a value allows nothing', async () => {
    const { diagnostics } = await parseSkill(skill('allowed-tools:'))
    expect(diagnostics).toMatchObject([{ code: 'FIELD_EMPTY', severity: 'warning', line: 4 }])
  })

  it.each(['allowed_tools', 'allowedTools', 'Allowed-Tools', 'allowed tools', 'ALLOWED-TOOLS'])(
    '[MAN-8, ABUSE-33] does not let %s pass as an unknown field that restricts nothing',
    async (key) => {
      for (const profile of PROFILES) {
        const { manifest, diagnostics } = await parseSkill(skill(`${key}: Read`), { profile })
        expect(manifest).toBeUndefined()
        expect(diagnostics).toMatchObject([
          { code: 'FIELD_MISSPELLED', severity: 'error', line: 4, hint: 'Write "allowed-tools".' },
        ])
      }
    },
  )

  it.each(['Read, Bash(a, b)', '[Read, "Bash(a, b)"]'])('[MAN-3, MAN-8] takes %s, in strict not', async (value) => {
    const written = value.startsWith('[') ? value : JSON.stringify(value)
    for (const profile of PROFILES) {
      const { manifest, diagnostics } = await parseSkill(skill(`allowed-tools: ${written}`), { profile })
      expect(diagnostics).toMatchObject([
        { code: 'ALLOWED_TOOLS_FORMAT', line: 4, hint: expect.stringContaining('"Read Bash(a, b)"') },
      ])
      expect(manifest?.allowedTools).toEqual(profile === 'strict' ? undefined : ['Read', 'Bash(a, b)'].map(rule))
    }
  })

  it("[MAN-8] a comma inside parentheses is the standard's own form", async () => {
    const { diagnostics } = await parseSkill(skill('allowed-tools: Read Bash(a, b)'), { profile: 'strict' })
    expect(diagnostics).toEqual([])
  })

  const tool = fc.oneof(
    fc.stringMatching(/^[A-Za-z_][\w.:/-]{0,12}$/),
    fc.stringMatching(/^mcp__[a-z]{1,5}__[a-z]{0,5}\*$/),
  )
  const pattern = fc
    .array(
      fc.oneof(fc.constantFrom('(x)', '()', ',', ' ', '*', 'git', ':*', '技', '"', '\\'), fc.stringMatching(/^[!-~]$/)),
    )
    .map((parts) => parts.join(''))
    .filter((text) => text !== '' && text.trim() === text && text !== ':*' && !/:\*\s/.test(text) && isBalanced(text))
  const rules = fc.array(fc.oneof(fc.record({ tool }), fc.record({ tool, pattern })))

  it('[MAN-8] reads back every rule that it writes, from a string and from a list', () => {
    fc.assert(
      fc.property(rules, fc.constantFrom(' ', ', ', ',', '\n', ' \t'), (all, separator) => {
        const written = all.map(formatRule)
        expect(parseAllowedTools(written.join(separator))).toMatchObject({ ok: true, rules: all })
        expect(parseAllowedTools(written)).toMatchObject({ ok: true, rules: all })
      }),
    )
  })

  it('[MAN-8, ABUSE-33] gives well-formed rules or a refusal, and never fewer than were written', () => {
    const soup = fc.array(fc.constantFrom('(', ')', ' ', ',', '*', ':', 'Bash', 'git', 'mcp__a__', '\u00A0', '\n', '"'))
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('')
        const result = parseAllowedTools(text)
        if (!result.ok) expect(text).toContain(result.rule)
        // Whatever was read accounts for every character but the separators.
        else {
          const bare = (value: string) => value.replaceAll(/[ ,\n]/g, '')
          expect(bare(result.rules.map(formatRule).join(' '))).toBe(bare(text))
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})

function isBalanced(text: string): boolean {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')' && --depth < 0) return false
  }
  return depth === 0
}
