import { NO_POLICY } from '../src/internal.ts'
import { describe, expect, test } from 'vitest'
import { permits } from './permits.ts'
import type { ToolRule } from '@repertoire/skill-md/internal'
import { toolset } from './toolset.ts'

/**
 * What the model is told of a refused call: it has nothing else to go by when it tries again. Each clause stands in
 * one sentence with the tool, its rules and the skill.
 */

const tools = toolset({
  Deploy: { argument: ['target', 'stage'], kind: 'text' },
  Fetch2: { argument: 'url', kind: 'url' },
})

function rule(text: string): ToolRule {
  const open = text.indexOf('(')
  return open < 0 ? { tool: text } : { tool: text.slice(0, open), pattern: text.slice(open + 1, -1) }
}

async function reasonOf(
  given: { readonly allowed?: string; readonly denied?: string },
  tool: string,
  input: unknown,
  cwd = '/p',
): Promise<string> {
  const list = (text: string | undefined) => (text === undefined ? [] : [{ skill: 's', rules: [rule(text)] }])
  const policy = { ...NO_POLICY, lists: list(given.allowed), denied: list(given.denied) }
  const verdict = await permits(policy, { tool, input }, { tools, cwd })
  return verdict.allowed ? 'allowed' : verdict.reason
}

const NOT_PLAIN = 'is not plain: programs read its "~", "%", "$", "\\", scheme or blanks in different ways'

describe('a call that no rule covers', () => {
  test.each([
    [{ argument: 'x' }, 'its input has no "target" or "stage", to which that applies'],
    ['x', 'its input is not an object of plain data'],
    [{ target: 7 }, 'its argument "target" is not text'],
    [{ target: 'x'.repeat(10_001) }, 'its argument "target" is longer than 10,000 characters'],
    [{ target: 'prod' }, '"prod" is not covered'],
    [{ target: 'staging', stage: 'prod' }, '"prod" is not covered'],
  ])('[GATE-7] says of a text, with the input %j: %s', async (input, why) => {
    expect(await reasonOf({ allowed: 'Deploy(staging)' }, 'Deploy', input)).toBe(
      `"Deploy" may only be used as Deploy(staging) while the skill "s" is active; ${why}.`,
    )
  })

  test('[GATE-7] takes a text of exactly 10,000 characters', async () => {
    expect(await reasonOf({ allowed: 'Deploy(x*)' }, 'Deploy', { target: 'x'.repeat(10_000) })).toBe('allowed')
  })

  test('[GATE-7] says of a tool that nothing is known of who has to name its argument', async () => {
    expect(await reasonOf({ allowed: 'Mystery(a)' }, 'Mystery', { a: 'a' })).toBe(
      '"Mystery" may only be used as Mystery(a) while the skill "s" is active; it is not ' +
        'known to which argument that applies: the host names it in the option "toolMap".',
    )
  })

  test.each([
    [{ url: 7 }, 'its argument "url" is not text'],
    [{ url: 'ftp://a.b/' }, 'the address "ftp://a.b/" is not an http or https address'],
    [{ url: 'https://me@a.b/' }, 'the address "https://me@a.b/" holds a user name'],
    [{ url: 'https://a.b/ x' }, 'the address "https://a.b/ x" holds blanks, backslashes or control characters'],
    [{ url: 'https://a.b/\\x' }, 'the address "https://a.b/\\x" holds blanks, backslashes or control characters'],
    [{ url: 'https://%61.b/' }, 'the address "https://%61.b/" holds an encoded host'],
    [{ url: 'https://a.b:x/' }, 'the address "https://a.b:x/" is not a valid address'],
    [{ url: 'https://c.d/' }, 'the address "https://c.d/" is not covered'],
  ])('[GATE-7] says of an address, with the input %j: %s', async (input, why) => {
    expect(await reasonOf({ allowed: 'Fetch2(domain:a.b)' }, 'Fetch2', input)).toBe(
      `"Fetch2" may only be used as Fetch2(domain:a.b) while the skill "s" is active; ${why}.`,
    )
  })

  test('[GATE-7] says that an address is too long, and takes one of exactly 8,000 characters', async () => {
    const address = (length: number) => 'https://a.b/'.padEnd(length, 'x')
    expect(await reasonOf({ allowed: 'Fetch2(domain:a.b)' }, 'Fetch2', { url: address(8_000) })).toBe('allowed')
    expect(await reasonOf({ allowed: 'Fetch2(domain:a.b)' }, 'Fetch2', { url: address(8_001) })).toMatch(
      /x…" is longer than 8,000 characters\.$/,
    )
  })

  test.each([
    ['', 'is empty'],
    ['a\u0007', NOT_PLAIN],
    [' a', NOT_PLAIN],
    ['a/~b', NOT_PLAIN],
    ['a%2fb', NOT_PLAIN],
    ['$HOME/a', NOT_PLAIN],
    ['file:a', NOT_PLAIN],
    ['a\\b', NOT_PLAIN],
    ['../a', 'leads out of the folder in which it begins'],
    ['a/{.,b}./c', 'is a pattern that may leave the folder in which it begins'],
    ['src/a', 'is not covered'],
  ])('[GATE-7] says of the path %j that it %s', async (path, what) => {
    const reason = await reasonOf({ allowed: 'Read(docs/**)' }, 'Read', { path })
    expect(reason).toMatch(
      /^"Read" may only be used as Read\(docs\/\*\*\) while the skill "s" is active; the path ".*" /,
    )
    expect(reason.endsWith(`" ${what}.`)).toBe(true)
  })

  test('[GATE-7] says that a path is not text or too long, and takes one of exactly 4,096 characters', async () => {
    expect(await reasonOf({ allowed: 'Read(**)' }, 'Read', { path: 7 })).toMatch(/; its argument "path" is not text\.$/)
    expect(await reasonOf({ allowed: 'Read(**)' }, 'Read', { path: 'a'.repeat(4_097) })).toMatch(
      /a…" is longer than 4,096 characters\.$/,
    )
    expect(await reasonOf({ allowed: 'Read(**)' }, 'Read', { path: 'a'.repeat(4_096) })).toBe('allowed')
  })

  test.each(['a/b.md:x', '/a', 'a./b', 'a /b'])(
    '[GATE-7] says of %j, where folders are on a drive, that Windows reads it in its own way',
    async (path) => {
      const reason = await reasonOf({ allowed: 'Read(**)' }, 'Read', { path }, 'C:\\p')
      expect(reason.endsWith('" holds characters that Windows interprets in its own way.')).toBe(true)
    },
  )

  test('[GATE-7] prefers, of several rules for paths, one that means something', async () => {
    const policy = { ...NO_POLICY, lists: [{ skill: 's', rules: ['Read(~/x)', 'Read(docs/**)'].map(rule) }] }
    const call = { tool: 'Read', input: { path: 'src/a' } }
    expect(await permits(policy, call, { tools, cwd: '/p' })).toMatchObject({
      reason: expect.stringMatching(/; the path "src\/a" is not covered\.$/),
    })
  })
})

describe('a command line that no rule covers', () => {
  test.each([
    ['', 'the command is empty'],
    ['# git', 'the command is empty'],
    ['git \u0001', 'the command holds control characters'],
    ['git "a', 'the command cannot be read as shell commands'],
    ['git log &', 'the command "git log &" runs in the background'],
    ['if true; then id; fi', 'the command "if true; then id; fi" is shell syntax and not a simple command'],
    ['git log > x', 'the command "git log > x" redirects input or output'],
    ['A=b git log', 'the command "A=b git log" sets a variable'],
    ['git log; id', 'of the command, the part "id" is not covered by a rule'],
    ['git log | sort > x', 'of the command, the part "sort > x" redirects input or output'],
    ['"git" log', String.raw`the command "\"git\" log" does not name its program in plain letters`],
    ['git `x`', 'the command "git `x`" holds "`x`", which a shell expands'],
    ['git !x', 'the command "git !x" holds "!x", which a shell expands'],
    ['git =x', 'the command "git =x" holds "=x", which a shell expands'],
    ['git log '.padEnd(10_001, 'x'), 'the command is longer than 10,000 characters'],
  ])('[GATE-7] of %j the model is told the part and why', async (command, why) => {
    const reason = await reasonOf({ allowed: 'Bash(git:*)' }, 'Bash', { command })
    expect(reason).toContain(`"Bash" may only be used as Bash(git:*) while the skill "s" is active; ${why}.`)
  })

  test.each([
    ['Bash(git log:*)', 'git log && rm -rf .', 'Only a rule such as "Bash(rm:*)" or "Bash(rm -rf .)" would permit it.'],
    ['Bash(git log:*)', 'git log --output=x', 'Only a rule such as "Bash(git log --output=x)" would permit it.'],
    ['Bash(find:*)', 'find . -exec id {} +', 'Only a rule such as "Bash(find . -exec id \'{}\' +)" would permit it.'],
    ['Bash(npm test)', 'npm test x', 'has more words than "Bash(npm test)" covers.'],
    ['Bash(ls:*)', 'ls $X', 'Write the word out, or put it in single quotes.'],
    ['Bash(ls:*)', 'ls > x', 'Write files with a tool for files.'],
    ['Bash(uniq:*)', 'uniq x y', 'is not covered: in uniq, it is given more than one file.'],
    ['Bash(ls:*)', 'npm run x 2>&1', 'such as "Bash(npm:*)" or "Bash(npm run x)" would permit it.'],
    ['Bash(ls:*)', 'git log -p', 'such as "Bash(git log:*)" or "Bash(git log -p)" would permit it.'],
    ['Bash(ls:*)', 'sort -n -o x y', 'Only a rule such as "Bash(sort -n -o x y)" would permit it.'],
    ['Bash(ls:*)', "x 'a)b'", 'Only a rule such as "Bash(x:*)" would permit it.'],
    ['Bash(ls:*)', 'x a[', 'is not covered by a rule.'],
    ['Bash(ls:*)', 'x \u2764\ufe0f', 'Only a rule such as "Bash(x:*)" would permit it.'],
  ])('[GATE-7] under %s, %j is refused with what would be permitted', async (allowed, command, end) => {
    expect(await reasonOf({ allowed }, 'Bash', { command })).toContain(end)
  })

  test('[GATE-7] a command that is not text is told so', async () => {
    expect(await reasonOf({ allowed: 'Bash(git:*)' }, 'Bash', { command: ['git'] })).toBe(
      '"Bash" may only be used as Bash(git:*) while the skill "s" is active; its argument "command" is not text.',
    )
  })
})

describe('a call that a skill takes away', () => {
  test.each([
    ['Deploy(prod)', 'Deploy', { target: 'PROD ' }, '"PROD " matches it'],
    ['Deploy(prod)', 'Deploy', { target: 7 }, 'its argument "target" is not text'],
    ['Deploy(prod)', 'Deploy', [], 'its input is not an object of plain data'],
    ['Deploy(prod)', 'Deploy', {}, 'its input has no "target" or "stage", so that rule may apply'],
    ['Deploy(prod)', 'Deploy', { target: 'x'.repeat(10_001) }, 'its argument is longer than 10,000 characters'],
    ['Read(src/**)', 'Read', { path: 'src/a' }, 'the path "src/a" may match it'],
    ['Read(src/**)', 'Read', { path: '' }, 'the path "" is empty'],
    [
      'Read(src/**)',
      'Read',
      { path: '/proc/self/cwd/src/a' },
      'the path "/proc/self/cwd/src/a" leads through a process: its text does not show which file it is',
    ],
    ['Read(!src/**)', 'Read', { path: 'a' }, 'the path "a" may match it'],
    ['Read({a/b,c}/**)', 'Read', { path: 'a' }, 'the path "a" may match it'],
    ['Fetch2(domain:a.b)', 'Fetch2', { url: 'https://x.a.b/' }, 'the address "https://x.a.b/" may match it'],
    ['Fetch2(domain:a.b)', 'Fetch2', { url: 'ftp://a.b/' }, 'the address "ftp://a.b/" is not an http or https address'],
    ['Fetch2(a.b)', 'Fetch2', { url: 'https://c.d/' }, 'the address "https://c.d/" may match it'],
    ['Bash(git push:*)', 'Bash', { command: 'git push' }, 'the command "git push" may match it'],
    ['Bash(git $X)', 'Bash', { command: 'git log' }, 'it is not certain which commands "git $X" means'],
    [
      'Bash(git push:*)',
      'Bash',
      { command: '$X push' },
      'the name of a program is not literal, so that it may match it',
    ],
    [
      'Bash(rm:*)',
      'Bash',
      { command: 'git "' },
      'the command cannot be read as shell commands, so that it may match it',
    ],
    ['Bash(rm:*)', 'Bash', { command: 'x | sh' }, 'the code that sh runs is not literal, so that it may match it'],
    [
      'Mystery(a)',
      'Mystery',
      { a: 'b' },
      'it is not known to which argument that applies: the host names it in the option "toolMap"',
    ],
  ])('[GATE-7, MAN-7] %s, of %s with %j: %s', async (denied, tool, input, why) => {
    expect(await reasonOf({ denied }, tool, input)).toBe(
      `"${tool}" may not be used like this while the skill "s" is active: it disallows ${denied}, and ${why}.`,
    )
  })

  test.each([
    ['Read', 'Read(x.md)'],
    ['Fetch2', 'Fetch2(https://a.b/x)'],
    ['Bash', 'Bash(git x)'],
    ['Deploy', 'Deploy(x)'],
  ])('[GATE-14, MAN-7] %s: a pattern that is too long may mean every call', async (tool, text) => {
    const denied = text.replace('x', 'x'.repeat(1_001))
    const input = tool === 'Bash' ? { command: 'ls' } : { path: 'b', url: 'https://c.d/', target: 'b' }
    expect(await reasonOf({ denied }, tool, input)).not.toBe('allowed')
  })
})
