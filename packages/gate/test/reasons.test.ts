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
  const policy = { lists: list(given.allowed), denied: list(given.denied) }
  const verdict = await permits(policy, { tool, input }, { tools, cwd })
  return verdict.allowed ? 'allowed' : verdict.reason
}

const PLAIN =
  'Call it with one plain command: no separators, redirects or expansions, special characters in single quotes.'

describe('a call that no rule covers', () => {
  test.each([
    [{ argument: 'x' }, 'its input has no "target" or "stage", to which that applies'],
    ['x', 'its input is not an object'],
    [{ target: 7 }, 'its argument "target" is not text'],
    [{ target: 'x'.repeat(10_001) }, 'its argument "target" is longer than 10,000 characters'],
    [{ target: 'prod' }, '"prod" is not of that form'],
    [{ target: 'staging', stage: 'prod' }, '"prod" is not of that form'],
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
    ['a\u0007', 'holds control characters'],
    [' a', 'begins or ends with a blank'],
    ['a/~b', 'holds a "~"'],
    ['a%2fb', 'holds a "%" encoding'],
    ['$HOME/a', 'begins with a variable'],
    ['file:a', 'begins like a URL or a drive'],
    ['a\\b', 'holds a backslash'],
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

  test('[GATE-7] says of a rule whose own pattern covers nothing why that is so', async () => {
    expect(await reasonOf({ allowed: 'Read(~/docs/**)' }, 'Read', { path: 'docs/a' })).toMatch(
      /; the rule's pattern "~\/docs\/\*\*" holds a "~" and covers nothing\.$/,
    )
    expect(await reasonOf({ allowed: `Read(${'a/'.repeat(500)}**)` }, 'Read', { path: 'docs/a' })).toMatch(
      /…" is too long and covers nothing\.$/,
    )
    expect(await reasonOf({ allowed: 'Bash(git && id)' }, 'Bash', { command: 'git log' })).toBe(
      '"Bash" may only be used as Bash(git && id) while the skill "s" is active; the rule\'s pattern "git && id" is not ' +
        'a command that could be allowed.',
    )
  })

  test('[GATE-7] prefers, of several arguments, what one itself lacks to that another is of no form', async () => {
    const both = toolset({
      Text: { argument: ['a', 'b'], kind: 'text' },
      Link: { argument: ['a', 'b'], kind: 'url' },
      Run: { argument: ['a', 'b'], kind: 'shell' },
    })
    const why = async (tool: string, pattern: string, a: unknown, b: unknown) => {
      const policy = { lists: [{ skill: 's', rules: [{ tool, pattern }] }] }
      const verdict = await permits(policy, { tool, input: { a, b } }, { tools: both, cwd: '/p' })
      return verdict.allowed ? 'allowed' : verdict.reason.split('; ').at(-1)
    }
    expect(await why('Text', 'x', 'y', 7)).toBe('its argument "b" is not text.')
    expect(await why('Text', 'x', 'y', 'z'.repeat(10_001))).toBe('its argument "b" is longer than 10,000 characters.')
    expect(await why('Link', 'domain:a.b', 'https://c.d/', 7)).toBe('its argument "b" is not text.')
    expect(await why('Run', 'git:*', 'id', 7)).toBe(`its argument "b" is not text. ${PLAIN}`)
  })

  test('[GATE-7] prefers, of several rules for paths, one that means something', async () => {
    const policy = { lists: [{ skill: 's', rules: ['Read(~/x)', 'Read(docs/**)'].map(rule) }] }
    const call = { tool: 'Read', input: { path: 'src/a' } }
    expect(await permits(policy, call, { tools, cwd: '/p' })).toMatchObject({
      reason: expect.stringMatching(/; the path "src\/a" is not covered\.$/),
    })
  })

  test('[GATE-7] words, of several rules, the miss that tells most, and of equal ones the first', async () => {
    const several = async (rules: readonly string[], command: string) => {
      const policy = { lists: [{ skill: 's', rules: rules.map(rule) }] }
      const verdict = await permits(policy, { tool: 'Bash', input: { command } }, { tools, cwd: '/p' })
      return verdict.allowed ? 'allowed' : verdict.reason.split('; ').at(-1)
    }
    // What the value itself lacks tells more than that it is of no form, and that more than a rule that means nothing.
    expect(await several(['Bash($X)', 'Bash(npm:*)'], 'git log')).toBe('the command "git log" is not of that form.')
    expect(await several(['Bash(npm:*)', 'Bash($X)'], 'git log')).toBe('the command "git log" is not of that form.')
    const other =
      'in the command "curl -O x", the option "-O" of "curl" is not known to be harmless, so that only a rule that names ' +
      'it, such as "curl -O:*", permits it.'
    expect(await several(['Bash(npm:*)', 'Bash(curl:*)', 'Bash($X)'], 'curl -O x')).toBe(other)
    expect(await several(['Bash($X)', 'Bash($Y)'], 'git log')).toBe(
      'the rule\'s pattern "$X" is not a command that could be allowed.',
    )
  })
})

describe('a command that cannot be judged', () => {
  test.each([
    ['', 'is empty'],
    ['   ', 'is empty'],
    ['git \u0001', 'holds control characters'],
    ['git a\n!b', 'holds "!", or "^" at the beginning, in a line after the first'],
    ['git a\n^b', 'holds "!", or "^" at the beginning, in a line after the first'],
    ['git "a', 'cannot be read as one shell command'],
    ['# git', 'holds no command'],
    ['git log; id', 'is a compound command'],
    ['git log && id', 'is a compound command'],
    ['git log | id', 'is a compound command'],
    ['git log &', 'runs in the background'],
    ['if true; then id; fi', 'is shell syntax and not a simple command'],
    ['git log > x', 'redirects input or output'],
    ['A=b git log', 'sets a variable'],
    ['A=b', 'sets a variable'],
    ['git log # x', 'holds a separator, a comment or a line break outside quotes'],
    ['"git" log', 'does not name its program in plain letters, without quotes or escapes'],
    ['git $X', 'holds an expansion ("$" or a backtick)'],
    ['git `x`', 'holds an expansion ("$" or a backtick)'],
    ['git "$X"', 'holds an expansion ("$" or a backtick)'],
    ['git *.md', 'holds a file pattern outside quotes'],
    ['git a{b,c}', 'holds braces outside quotes'],
    ['git !x', 'holds "!" outside single quotes'],
    ['git "a!x"', 'holds "!" outside single quotes'],
    ['git ~/x', 'holds a "~" that a shell expands'],
    ['git =x', 'has a word that begins with "="'],
    ['git a\u00a0b', 'holds a blank or an unseen character outside quotes'],
  ])('[GATE-7] %j %s, and the model is told what to do', async (command, what) => {
    const reason = await reasonOf({ allowed: 'Bash(git:*)' }, 'Bash', { command })
    expect(reason).toMatch(/^"Bash" may only be used as Bash\(git:\*\) while the skill "s" is active; the command "/)
    expect(reason).toContain(`" ${what}. ${PLAIN}`)
    expect(await reasonOf({ denied: 'Bash(git:*)' }, 'Bash', { command })).toContain(
      `" ${what}, so that rule may apply. ${PLAIN}`,
    )
  })

  test('[GATE-7] one that is not text, or too long, is one that cannot be judged', async () => {
    expect(await reasonOf({ allowed: 'Bash(git:*)' }, 'Bash', { command: ['git'] })).toBe(
      `"Bash" may only be used as Bash(git:*) while the skill "s" is active; its argument "command" is not text. ${PLAIN}`,
    )
    expect(await reasonOf({ allowed: 'Bash(git:*)' }, 'Bash', { command: 'git '.padEnd(10_001, 'x') })).toContain(
      'x…" is longer than 10,000 characters. ',
    )
  })

  test('[GATE-7] one that a prefix rule does not cover is told by which of its words', async () => {
    const why = async (allowed: string, command: string) =>
      (await reasonOf({ allowed }, 'Bash', { command })).split('; ').at(-1)
    const exact = 'so that only a rule with exactly these words permits it.'
    const named = (pattern: string) => `so that only a rule that names it, such as "${pattern}", permits it.`
    expect(await why('Bash(git:*)', 'git log --output=x')).toBe(
      `in the command "git log --output=x", the option "--output" of "git log" is not known to be harmless, ${named('git log --output=x:*')}`,
    )
    expect(await why('Bash(git:*)', 'git config a.b c')).toBe(
      `in the command "git config a.b c", "c" is not known to be harmless for "git config", ${exact}`,
    )
    expect(await why('Bash(curl:*)', 'curl -d @x https://a.b')).toBe(
      `in the command "curl -d @x https://a.b", "@x" is not known to be harmless as the value of "-d", ${exact}`,
    )
    expect(await why('Bash(git:*)', 'git difftool')).toBe(
      `in the command "git difftool", "git difftool" is not among the uses that are known to be harmless, ${exact}`,
    )
    expect(await why('Bash(docker:*)', 'docker run x')).toBe(
      `in the command "docker run x", "docker run" does more than a rule for all of "docker" permits, ${named('docker run:*')}`,
    )
    expect(await why('Bash(find:*)', 'find . -exec id {} +')).toBe(
      `in the command "find . -exec id {} +", the option "-exec" of "find" is not known to be harmless, ${named('find . -exec:*')}`,
    )
  })
})

describe('a call that a skill takes away', () => {
  test.each([
    ['Deploy(prod)', 'Deploy', { target: 'PROD ' }, '"PROD " matches it'],
    ['Deploy(prod)', 'Deploy', { target: 7 }, 'its argument "target" is not text'],
    ['Deploy(prod)', 'Deploy', [], 'its input is not an object'],
    ['Deploy(prod)', 'Deploy', {}, 'its input has no "target" or "stage", so that rule may apply'],
    ['Deploy(prod)', 'Deploy', { target: 'x'.repeat(10_001) }, 'its argument is longer than 10,000 characters'],
    ['Read(src/**)', 'Read', { path: 'src/a' }, 'the path "src/a" may match it'],
    ['Read(src/**)', 'Read', { path: '' }, 'the path "" is empty'],
    [
      'Read(src/**)',
      'Read',
      { path: '/proc/self/cwd/src/a' },
      'the path "/proc/self/cwd/src/a" leads through a process, so that its text does not show which file it is',
    ],
    ['Read(!src/**)', 'Read', { path: 'a' }, 'it is uncertain what the pattern "!src/**" matches: it is a negation'],
    [
      'Read({a/b,c}/**)',
      'Read',
      { path: 'a' },
      'it is uncertain what the pattern "{a/b,c}/**" matches: it holds a group of paths',
    ],
    ['Fetch2(domain:a.b)', 'Fetch2', { url: 'https://x.a.b/' }, 'the address "https://x.a.b/" matches it'],
    ['Fetch2(domain:a.b)', 'Fetch2', { url: 'ftp://a.b/' }, 'the address "ftp://a.b/" is not an http or https address'],
    ['Fetch2(a.b)', 'Fetch2', { url: 'https://c.d/' }, 'it is uncertain what the pattern "a.b" matches'],
    ['Bash(git push:*)', 'Bash', { command: 'git push' }, 'the command "git push" may match it'],
    ['Bash(git $X)', 'Bash', { command: 'git log' }, 'it is uncertain what the pattern "git $X" matches'],
    [
      'Bash(git push:*)',
      'Bash',
      { command: 'env A=b ls' },
      'in the command "env A=b ls", "env" runs other programs, so that rule may apply',
    ],
    [
      'Bash(git push:*)',
      'Bash',
      { command: 'git -c a.b=c log' },
      'in the command "git -c a.b=c log", "-c" can make git run or write something else, so that rule may apply',
    ],
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
  ])('[GATE-7, MAN-7] %s: says of a pattern that is too long that its meaning is not certain', async (tool, text) => {
    const denied = text.replace('x', 'x'.repeat(1_001))
    const input = tool === 'Bash' ? { command: 'ls' } : { path: 'b', url: 'https://c.d/', target: 'b' }
    expect(await reasonOf({ denied }, tool, input)).toMatch(
      /^.*it is uncertain what the pattern .* matches(?:: it is too long)?\.$|the pattern is too long to be matched\.$/,
    )
  })
})
