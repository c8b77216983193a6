import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mayUse, type Policy, NO_POLICY } from '../src/internal.ts'
import { allows, CONTEXT, judge, policy, reason, rule } from './rules.ts'
import { toolset } from './toolset.ts'

describe('tools by name', () => {
  test('[GATE-2] permits everything where no skill restricts', async () => {
    expect(await judge({ ...NO_POLICY, lists: [] }, 'Anything', null)).toEqual({ allowed: true })
  })

  test('[GATE-2] permits nothing under an empty list, and says so', async () => {
    expect(await judge([], 'Read', { file_path: 'a' })).toEqual({
      allowed: false,
      reason: '"Read" may not be used while the skill "skill-0" is active: it allows no tools but the skill tools.',
      allowedTools: [],
      skill: 'skill-0',
    })
  })

  test.each([
    ['Read', 'Read', true],
    ['Read', 'READ', true],
    ['bash', 'Bash', true],
    ['Read', 'Write', false],
    ['Read', 'ReadAll', false],
    ['mcp__github__*', 'mcp__GitHub__list', true],
    ['mcp__github__*', 'mcp__gitlab__list', false],
  ])('[GATE-2] a list with %s, the tool %s: %s', async (name, tool, expected) => {
    expect(await allows([name], tool)).toBe(expected)
    expect(mayUse(policy([name]), tool, toolset())).toBe(expected)
  })

  test('[GATE-2] names the rules that are in force in a refusal', async () => {
    expect(await judge(['Read', 'Bash(git:*)'], 'Write', { file_path: 'a' })).toEqual({
      allowed: false,
      reason: '"Write" may not be used while the skill "skill-0" is active: it allows only Read, Bash(git:*).',
      allowedTools: ['Read', 'Bash(git:*)'],
      skill: 'skill-0',
    })
  })

  test('[ABUSE-33] reads a rule that was cut short as one for a tool of that very name', async () => {
    const cut: Policy = { ...NO_POLICY, lists: [{ skill: 's', rules: [{ tool: 'Bash(git:*' }] }] }
    expect(await allows(cut, 'Bash', { command: 'git log' })).toBe(false)
    expect(mayUse(cut, 'Bash', toolset())).toBe(false)
  })
})

describe('several skills', () => {
  test('[GATE-6] permits what every skill permits and names the lowest that refuses', async () => {
    const both = policy(['Read', 'Bash(git:*)'], ['Bash'])
    expect(await allows(both, 'Bash', { command: 'git log' })).toBe(true)
    expect(await judge(both, 'Bash', { command: 'ls' })).toMatchObject({
      allowed: false,
      skill: 'skill-0',
      allowedTools: ['Bash(git:*)'],
    })
    expect(await judge(both, 'Read', { file_path: 'a' })).toMatchObject({
      allowed: false,
      skill: 'skill-1',
      allowedTools: ['Bash(git:*)'],
    })
  })

  test('[GATE-6] lets no further skill widen what the others permit, in whatever order', async () => {
    const rules = fc.uniqueArray(
      fc.constantFrom(
        'Read',
        'Read(docs/**)',
        'Write',
        'Bash',
        'Bash(git:*)',
        'Bash(git log:*)',
        'WebFetch(domain:a.b)',
      ),
    )
    const call = fc.constantFrom(
      { tool: 'Read', input: { file_path: 'docs/a' } },
      { tool: 'Read', input: { file_path: 'a' } },
      { tool: 'Write', input: { file_path: 'a' } },
      { tool: 'Bash', input: { command: 'git log' } },
      { tool: 'Bash', input: { command: 'git status' } },
      { tool: 'WebFetch', input: { url: 'https://a.b' } },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(rules, { maxLength: 3 }), rules, call, async (lists, further, { tool, input }) => {
        const before = await allows(policy(...lists), tool, input)
        const alone = await allows(policy(further), tool, input)
        expect(await allows(policy(...lists, further), tool, input)).toBe(before && alone)
        expect(await allows(policy(further, ...lists), tool, input)).toBe(before && alone)
        // What is hidden could never have been permitted.
        if (!mayUse(policy(...lists), tool, toolset())) expect(before).toBe(false)
      }),
    )
  })

  test('[ABUSE-32] permits nothing by "Bash(*)" that a list below it does not', async () => {
    const host: Policy = {
      ...NO_POLICY,
      lists: [
        { skill: 'host', rules: [{ tool: 'Read' }] },
        { skill: 'greedy', rules: [rule('Bash(*)')] },
      ],
    }
    expect(await judge(host, 'Bash', { command: 'id' })).toMatchObject({ allowed: false, skill: 'host' })
    expect(mayUse(host, 'Bash', toolset())).toBe(false)
  })
})

describe('arguments', () => {
  test.each([
    [['Read(docs/**)'], 'Read', { file_path: 'docs/a.md' }, true],
    [['Read(docs/**)'], 'Read', { file_path: '/project/docs/a.md' }, true],
    [['Read(docs/**)'], 'Read', { file_path: 'docs-evil/a.md' }, false],
    [['Read(docs/**)'], 'Read', { file_path: 'docs/../x' }, false],
    [['Read(docs/**)', 'Read(src/**)'], 'read', { path: 'src/a.ts' }, true],
    [['Read(*)'], 'Read', { file_path: 'a' }, true],
    [['Read(*)'], 'Read', { file_path: '/etc/passwd' }, false],
    [['WebFetch(domain:example.com)'], 'WebFetch', { url: 'https://docs.example.com/a' }, true],
    [['WebFetch(domain:example.com)'], 'WebFetch', { url: 'https://example.com.evil.net/' }, false],
    [['WebFetch(*)'], 'WebFetch', { url: 'https://anything' }, true],
    [['Deploy(staging)'], 'deploy', { target: 'staging' }, true],
    [['Deploy(staging)'], 'deploy', { target: 'production' }, false],
    [['Deploy(stag:*)'], 'deploy', { target: 'staging' }, true],
    [['Glob(docs/**)'], 'Glob', { pattern: 'docs/**/*.md' }, true],
    [['Glob(docs/**)'], 'Glob', { pattern: '**/*.md' }, false],
    [['Custom(*)'], 'Custom', { x: 1 }, true],
    [['Custom'], 'Custom', { x: 1 }, true],
    [['Custom(x)'], 'Custom', { x: 'x' }, false],
    [['mcp__files__*(docs/**)'], 'mcp__files__read', { path: 'docs/a' }, false],
  ] as [string[], string, unknown, boolean][])(
    '[GATE-3] %j, %s called with %j: %s',
    async (rules, tool, input, expected) => {
      expect(await allows(rules, tool, input)).toBe(expected)
    },
  )

  test.each([
    [{ file_path: 'docs/a', path: 'docs/b' }, true],
    [{ file_path: 'docs/a', path: '/etc/passwd' }, false],
    [{ file_path: '/etc/passwd', path: 'docs/a' }, false],
    [{ file_path: 'docs/a', path: null }, false],
    [{ file_path: 'docs/a', path: undefined }, true],
    [{ path: ['docs/a', 'docs/b'] }, true],
    [{ path: ['docs/a', 'x'] }, false],
    [{ path: [] }, false],
    [{ other: 'docs/a' }, false],
    [{}, false],
    [[], false],
    [null, false],
    ['docs/a', false],
    [Object.create({ path: 'docs/a' }), false],
  ] as [unknown, boolean][])(
    '[GATE-3] every argument that is there has to be covered, and one has to be there: %j, %s',
    async (input, expected) => {
      expect(await allows(['Read(docs/**)'], 'Read', input)).toBe(expected)
    },
  )

  test('[GATE-3] needs one rule for all arguments of a call, not one for each', async () => {
    const rules = ['move_file(a/**)', 'move_file(b/**)']
    expect(await allows(rules, 'move_file', { source: 'a/x', destination: 'a/y' })).toBe(true)
    expect(await allows(rules, 'move_file', { source: 'a/x', destination: 'b/y' })).toBe(false)
  })

  test('[GATE-3] takes the working folder from its context', async () => {
    const input = { file_path: '/elsewhere/docs/a' }
    expect((await judge(['Read(docs/**)'], 'Read', input, { ...CONTEXT, cwd: '/elsewhere' })).allowed).toBe(true)
    expect((await judge(['Read(docs/**)'], 'Read', input, { ...CONTEXT, cwd: undefined })).allowed).toBe(false)
  })
})

describe('reasons', () => {
  test.each([
    [
      ['Read(docs/**)'],
      'Read',
      { file_path: 'src/a' },
      '"Read" may only be used as Read(docs/**) while the skill "skill-0" is active; the path "src/a" is not covered.',
    ],
    [
      ['Read(docs/**)'],
      'Read',
      { file_path: '../a' },
      '"Read" may only be used as Read(docs/**) while the skill "skill-0" is active; the path "../a" leads out of the folder in which it begins.',
    ],
    [
      ['WebFetch(domain:a.b)'],
      'WebFetch',
      { url: 'https://c.d/' },
      '"WebFetch" may only be used as WebFetch(domain:a.b) while the skill "skill-0" is active; the address "https://c.d/" is not covered.',
    ],
    [
      ['Custom(x)'],
      'Custom',
      {},
      '"Custom" may only be used as Custom(x) while the skill "skill-0" is active; it is not known to which argument that applies: the host names it in the option "toolMap".',
    ],
    [
      ['Bash(git:*)'],
      'Bash',
      {},
      '"Bash" may only be used as Bash(git:*) while the skill "skill-0" is active; its input has no "command" or "cmd", to which that applies.',
    ],
    [
      ['Bash(git:*)'],
      'Bash',
      'git log',
      '"Bash" may only be used as Bash(git:*) while the skill "skill-0" is active; its input is not an object of plain data.',
    ],
  ] as [string[], string, unknown, string][])(
    '[GATE-3] words a refusal for %j, %s with %j',
    async (rules, tool, input, expected) => {
      expect(await reason(rules, tool, input)).toBe(expected)
    },
  )

  test('[GATE-3] repeats values shortened, on one line, with nothing in them unseen', async () => {
    const said = await reason(['Bash(git:*)'], 'Bash', { command: `rm '\u00a0\u202e"\n${'x'.repeat(5_000)}'` })
    expect(said).toContain('"rm \'\\u{A0}\\u{202E}')
    expect(said).toContain('…"')
    expect(said.length).toBeLessThan(600)
    expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    const tool = await reason(['Read'], `x\n${'y'.repeat(5_000)}`, {})
    expect(tool.length).toBeLessThan(400)
    expect(tool).not.toMatch(/\p{Cc}/u)
  })

  test('[GATE-3] names the first twenty of many rules', async () => {
    const many = Array.from({ length: 60 }, (_, index) => `Tool${index}(${'p'.repeat(900)})`)
    const verdict = await judge(many, 'Bash', { command: 'id' })
    expect(verdict).toMatchObject({ allowed: false, allowedTools: many })
    expect(verdict.allowed ? '' : verdict.reason).toContain('and 40 more.')
    expect(verdict.allowed ? 0 : verdict.reason.length).toBeLessThan(3_000)
  })
})
