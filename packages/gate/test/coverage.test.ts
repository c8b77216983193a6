import { describe, expect, test } from 'vitest'
import { mayUse } from '../src/internal.ts'
import { isScriptPath } from '../src/script/skill.ts'
import { permits } from './permits.ts'
import { comparePath } from '../src/allow/allow.ts'
import { compareText } from '../src/allow/text.ts'
import { namesTool } from '../src/tool-name.ts'
import { compareUrl } from '../src/allow/url.ts'
import { toolset } from './toolset.ts'

/** Where a rule ends: the nearest call that it still covers beside the nearest that it does not. */

describe('addresses', () => {
  test.each([
    ['domain:a.b', 'https://a.b/', true],
    ['domain:a.b', 'xhttps://a.b/', false],
    ['domain:a.b', 'web+https://a.b/', false],
    ['http://a.b/*', 'http://a.b/x', true],
    ['http://a.b/*', 'https://a.b/x', false],
    ['https://a.b/*', 'http://a.b/x', false],
    ['HTTPS://A.b/x', 'https://a.b/x', true],
    ['xhttps://a.b/*', 'https://a.b/x', false],
    ['https://*.a.b/*', 'https://x.a.b/y', true],
    ['https://*.a.b/*', 'https://a.b/y', false],
    ['https://*.a.b/*', 'https://evil.net/y', false],
    ['https://*.a.b/*', 'https://evila.b/y', false],
    ['https://*.*.b/*', 'https://x.a.b/y', false],
    ['https://a.b/x', 'https://a.b/x', true],
    ['https://a.b/x#y', 'https://a.b/x', false],
    ['https://a.b?q=1', 'https://a.b/?q=1', true],
    ['https://a.b?q=1', 'https://a.b/?q=2', false],
    ['https://a.b/x', 'https://a.b/x%00', false],
    ['https://a.b/x*', 'https://a.b/x%2Fy', false],
    ['domain:a/b', 'https://a.b/', false],
    ['domain:a b', 'https://a.b/', false],
    ['domain:a.b:99999', 'https://a.b/', false],
    ['domain:*.', 'https://a.b/', false],
  ])('[GATE-3] %s, the address %s: %s', (pattern, address, expected) => {
    expect(compareUrl(address)(pattern) === undefined).toBe(expected)
  })
})

describe('paths', () => {
  test.each([
    // Only at the beginning would a program read it in its own way.
    ['**', 'app/$USER.tsx', '/p', true],
    ['**', '$USER.tsx', '/p', false],
    ['**', 'docs/a:b.md', '/p', true],
    ['**', '5%a.txt', '/p', true],
    ['**', '5%aa.txt', '/p', false],
    // A folder that only holds something like a drive is none of Windows.
    ['**', 'a\\b', '/p/c:/q', false],
    ['docs/*', '/x/docs/a', '/**', false],
    ['docs/*', '/x/y/docs/a', '/**', false],
    // A pattern that a tool expands.
    ['src/**', 'src/index.*', '/p', true],
    ['docs/**', 'docs/.*rc', '/p', true],
    ['docs/**', 'docs/.**/etc', '/p', false],
    ['docs/**', 'docs/[..]/etc', '/p', false],
    ['docs/**', 'docs/@(..)/etc', '/p', false],
    ['docs/**', 'docs/a|..)/etc', '/p', true],
    // Without a working folder that is absolute, nothing relative can be told to lie anywhere.
    ['/p/docs/**', 'docs/a', 'p', false],
    ['p/docs/**', '/p/docs/a', 'p', false],
    ['docs/**', '/docs/a', '', false],
    ['/docs/**', 'docs/a', '', false],
    ['docs/**', '/docs/a', '/..', false],
    ['/docs/**', 'docs/a', '/p/../..', false],
  ] as const)('[GATE-3] %s, the path %j in %j: %s', (pattern, path, cwd, expected) => {
    expect(comparePath(path, cwd)(pattern) === undefined).toBe(expected)
  })

  test.each([
    ['docs/**', 'docs\\a\\', true],
    ['D:/proj/docs/**', 'docs\\a.md', false],
    ['C:/proj/docs/**', 'docs\\a.md', true],
    ['C:/other/**', 'docs\\a.md', false],
    ['D:/docs/**', 'C:\\proj\\docs\\a.md', false],
    ['D:/docs/**', 'D:\\docs\\a.md', true],
  ])('[GATE-3] with a working folder on a Windows drive, %s, the path %j: %s', (pattern, path, expected) => {
    expect(comparePath(path, 'C:\\proj')(pattern) === undefined).toBe(expected)
  })
})

test.each([
  ['team:*', 'team-a', true],
  ['team:*', 'tea', false],
  ['team:*', 'te', false],
  ['team', 'team', true],
])('[GATE-3] the text pattern %s, the value %s: %s', (pattern, value, expected) => {
  expect(compareText('target', value)(pattern) === undefined).toBe(expected)
})

test.each([
  ['mcp__a__*', 'mcp__a__b', true],
  ['xmcp__a__*', 'xmcp__a__b', false],
  ['xmcp__a__*', 'mcp__a__b', false],
  ['mcp__a__*x', 'mcp__a__b', false],
  ['mcp__a__*x', 'mcp__a__bx', false],
  ['mcp__a__**', 'mcp__a__b', false],
  ['mcp__*__b', 'mcp__a__b', false],
  ['*', 'undefined', false],
])('[GATE-2] the rule %s names the tool %s: %s', (rule, tool, expected) => {
  expect(namesTool(rule, tool)).toBe(expected)
})

test.each([
  ['scripts/macro.vbs', true],
  ['scripts/build.gradle.kts', true],
  ['tools/x.nu', true],
  ['.//scripts/a.sh', true],
  ['/scripts/a.sh', true],
  ['scripts/.sh', true],
  ['scripts/sh', false],
  ['scripts/a.', false],
])('[GATE-4] %s is a script: %s', (path, expected) => {
  expect(isScriptPath(path)).toBe(expected)
})

test.each([
  ['Read', '**', { path: [['a']] }],
  ['Read', '**', { path: 7 }],
  ['Read', '**', { path: null }],
  ['Deploy', 'a*', { target: 7 }],
  ['Deploy', 'a*', { target: ['a'] }],
  ['WebFetch', 'domain:*', { url: 7 }],
  ['Bash', 'git:*', { command: null }],
  ['Bash', 'git:*', { command: ['git', 'log'] }],
  ['Bash', 'git:*', { command: { toString: (): string => 'git log' } }],
])('[GATE-3, ABUSE-43] an argument that is not text is covered by nothing: %s(%s) %j', async (tool, pattern, input) => {
  const tools = toolset({ Deploy: { argument: 'target', kind: 'text' } })
  const verdict = await permits({ lists: [{ rules: [{ tool, pattern }] }] }, { tool, input }, { tools, cwd: '/p' })
  expect(verdict).toMatchObject({ allowed: false, reason: expect.stringMatching(/ is not text\./) })
})

describe('several rules and several lists', () => {
  const context = { tools: toolset(), cwd: '/p' }
  const list = (...rules: readonly { tool: string; pattern?: string }[]) => ({ skill: 's', rules })

  test('[GATE-2] one rule for a whole tool is enough, whatever the others of that tool say', async () => {
    const policy = { lists: [list({ tool: 'Read', pattern: 'docs/**' }, { tool: 'Read' })] }
    expect(await permits(policy, { tool: 'Read', input: { path: 'src/a' } }, context)).toEqual({ allowed: true })
    const starred = { lists: [list({ tool: 'Bash', pattern: 'git:*' }, { tool: 'Bash', pattern: '*' })] }
    expect(await permits(starred, { tool: 'Bash', input: { command: 'id' } }, context)).toEqual({ allowed: true })
  })

  test('[MAN-7] a tool that one of several skills takes away whole is hidden', () => {
    const denied = [list({ tool: 'Bash' }), list({ tool: 'Read' })]
    for (const tool of ['Bash', 'Read']) expect(mayUse({ lists: [], denied }, tool, toolset())).toBe(false)
    expect(mayUse({ lists: [], denied }, 'Write', toolset())).toBe(true)
  })

  test('[GATE-3] every argument that a rule speaks of has to be covered, and the one that is worst is told', async () => {
    const policy = { lists: [list({ tool: 'move_file', pattern: 'docs/**' })] }
    const move = async (source: unknown, destination: unknown) =>
      permits(policy, { tool: 'move_file', input: { source, destination } }, context)
    expect(await move('docs/a', 'docs/b')).toEqual({ allowed: true })
    expect(await move('docs/a', 'src/b')).toMatchObject({ reason: expect.stringMatching(/"src\/b" is not covered\.$/) })
    expect(await move('src/a', '~/b')).toMatchObject({ reason: expect.stringMatching(/"~\/b" holds a "~"\.$/) })
    expect(await move('src/a', 7)).toMatchObject({ reason: expect.stringMatching(/"destination" is not text\.$/) })
  })
})
