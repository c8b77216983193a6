import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ToolRule } from '@repertoire/skill-md/internal'
import { mayUse, type Policy, NO_POLICY } from '../../src/internal.ts'
import type { CallContext } from '../../src/call.ts'
import { permits } from '../permits.ts'
import { toolset } from '../toolset.ts'
import { runs } from '@repertoire/test-servers/properties'

const CONTEXT: CallContext = {
  tools: toolset({ Deploy: { argument: 'target', kind: 'text' } }),
  cwd: '/project',
}

function rule(text: string): ToolRule {
  const open = text.indexOf('(')
  return open < 0 ? { tool: text } : { tool: text.slice(0, open), pattern: text.slice(open + 1, -1) }
}

/** A skill that takes these away and restricts nothing else. */
function without(...rules: string[]): Policy {
  return { ...NO_POLICY, lists: [], denied: [{ skill: 'careful', rules: rules.map(rule) }] }
}

async function allows(policy: Policy, tool: string, input: unknown, context = CONTEXT): Promise<boolean> {
  return (await permits(policy, { tool, input }, context)).allowed
}

const bash = (denied: string, command: unknown): Promise<boolean> => allows(without(denied), 'Bash', { command })

describe('tools that are taken away whole', () => {
  test.each([
    ['Bash', 'Bash'],
    ['bash', 'BASH'],
    ['Read(*)', 'Read'],
    ['Read(**)', 'Read'],
    ['Bash(:*)', 'Bash'],
    ['mcp__git__*', 'mcp__git__push'],
    // Which server the tool is of, its name alone does not tell.
    ['mcp__git__*', 'mcp__git__hub__push'],
  ])('[MAN-7] %s refuses %s, whatever the call, and hides it', async (denied, tool) => {
    expect(await allows(without(denied), tool, { command: 'ls', file_path: 'a' })).toBe(false)
    expect(mayUse(without(denied), tool, toolset())).toBe(false)
  })

  test.each([
    ['Bash', 'BashOutput'],
    ['Read', 'Write'],
    ['mcp__git__*', 'mcp__github__push'],
    ['mcp__git__push', 'mcp__git__pull'],
  ])('[MAN-7] %s leaves %s', async (denied, tool) => {
    expect(await allows(without(denied), tool, { command: 'ls', file_path: 'a' })).toBe(true)
    expect(mayUse(without(denied), tool, toolset())).toBe(true)
  })

  test('[MAN-7] wins over a rule that allows the same, and hides nothing if it has a pattern', async () => {
    expect(mayUse(without('Bash(git push:*)'), 'Bash', toolset())).toBe(true)
    const policy: Policy = { ...without('Read'), lists: [{ skill: 'other', rules: [rule('Read')] }] }
    expect(await allows(policy, 'Read', { file_path: 'a' })).toBe(false)
    expect(mayUse(policy, 'Read', toolset())).toBe(false)
  })

  test('[MAN-7] says which skill takes what away, and why', async () => {
    expect(await permits(without('Bash'), { tool: 'Bash', input: {} }, CONTEXT)).toEqual({
      allowed: false,
      reason: '"Bash" may not be used while the skill "careful" is active: it disallows Bash.',
      skill: 'careful',
    })
    expect(await permits(without('Bash(rm:*)'), { tool: 'Bash', input: { command: 'rm a' } }, CONTEXT)).toEqual({
      allowed: false,
      reason:
        '"Bash" may not be used like this while the skill "careful" is active: it disallows Bash(rm:*), and the ' +
        'command "rm a" may match it.',
      skill: 'careful',
    })
  })
})

describe('shell commands', () => {
  test.each([
    'git push',
    'git push origin main',
    'git -C /elsewhere push',
    'git --no-pager push',
    '/usr/bin/git push',
    'GIT push',
    'git.exe push',
    "git 'push'",
    'npx git push',
    'find . -name x -exec git push {} +',
    'env git push',
    'sudo -u x git push',
    'xargs git',
    'sh -c "git push"',
    'python3 -c "import os; os.system(\'git push\')"',
    'git -c alias.p=push p',
    'echo a && git push',
    'ls; git push',
    'ls | git push',
    'true & git push',
    '$(echo git) push',
    'g"i"t$x push',
    'git pu{s,}h',
    'x=push; git $x',
    'git push > /dev/null',
    'GIT_DIR=x git push',
    'cd a\ngit push',
    'eval "git push"',
    'command git push',
    'git "',
    'ls '.repeat(5_000),
  ])('[MAN-7] "git push:*" taken away refuses %j, which is it, or may hold it', async (command) => {
    expect(await bash('Bash(git push:*)', command)).toBe(false)
    expect(await bash('Bash(git push)', command)).toBe(false)
  })

  test.each([
    'ls -la',
    'git status',
    'git log --oneline',
    'git commit -m "push the fix"',
    'npm test',
    'gitk push',
    'cat a',
  ])('[MAN-7] "git push:*" taken away leaves %j', async (command) => {
    expect(await bash('Bash(git push:*)', command)).toBe(true)
    expect(await bash('Bash(git push)', command)).toBe(true)
  })

  test.each([
    ['rm -rf:*', 'rm -rf a', false],
    // Options match as they are written.
    ['rm -rf:*', 'rm -fr a', true],
    ['rm -rf:*', 'rm -i a', true],
    ['rm -rf:*', 'rm a', true],
    ['git push --force:*', 'git push origin --force', false],
    ['git push --force:*', 'git push -f', true],
    ['git push --force:*', 'git push origin main', true],
    ['git push --force:*', 'git push --tags', true],
    ['npm publish *', 'npm --silent publish', false],
    ['npm publish *', 'npm install', true],
    // What the pattern means is not certain: nothing is left.
    ['git*', 'ls', false],
    ['git push | tee', 'ls', false],
    ['$x', 'ls', false],
  ])('[MAN-7] with Bash(%s) taken away, %j may run: %s', async (denied, command, expected) => {
    expect(await bash(`Bash(${denied})`, command)).toBe(expected)
  })

  test.each([[undefined], [null], [7], [['git', 'push']]])(
    '[MAN-7] refuses a command that is not text: %j',
    async (command) => {
      expect(await bash('Bash(git push:*)', command)).toBe(false)
    },
  )
})

describe('paths', () => {
  test.each([
    'secrets/key',
    './secrets/key',
    'a/../secrets/key',
    '/project/secrets/key',
    '/project/a/../secrets/key',
    'SECRETS/key',
    'secrets./key',
    'secrets',
    '.',
    '/project',
    's*/key',
    '**/*.pem',
    '{a,secrets}/key',
    '../project/secrets/key',
    '~/x',
    '$HOME/x',
    'file:///project/secrets/key',
    'secrets%2fkey',
    'secrets\\key',
    'sec\u200Crets/key',
    '/proc/self/cwd/secrets/key',
    '/proc/1/task/2/root/project/secrets/key',
    '/proc/self/cwd/x/../secrets/key',
    '/proc/self/cwd/../project/secrets/key',
    '/dev/fd/3',
    'a\0b',
    '',
  ])('[MAN-7] "secrets/**" taken away refuses %j', async (path) => {
    expect(await allows(without('Read(secrets/**)'), 'Read', { file_path: path })).toBe(false)
  })

  test.each([
    'a',
    'src/secrets.ts',
    '/etc/hosts',
    '/proc/cpuinfo',
    'proc/self',
    'other/secrets/key',
    'src/*.ts',
    'app/[id]/page.tsx',
  ])('[MAN-7] "secrets/**" taken away leaves %j', async (path) => {
    expect(await allows(without('Read(secrets/**)'), 'Read', { file_path: path })).toBe(true)
  })

  test.each([
    ['*.pem', 'a.pem', false],
    ['*.pem', 'a.txt', true],
    ['**/*.pem', 'x/y/a.pem', false],
    ['**/*.pem', 'x/y/a.PEM', false],
    ['**/*.pem', 'x/y/a.txt', true],
    ['*.{pem,key}', 'a.key', false],
    ['*.{pem,key}', 'README', true],
    ['[ab].txt', 'a.txt', false],
    ['.env', '.env', false],
    ['.env', '/project/.env', false],
    ['.env', '.envrc', true],
    ['secrets', 'secrets/key', false],
    ['~/.ssh/**', '/home/me/.ssh/id', false],
    ['~/.ssh/**', '.ssh/id', false],
    ['~/.ssh/**', 'src/a', true],
    ['/etc/**', '/etc/passwd', false],
    ['/etc/**', 'etc/passwd', true],
    ['!src/**', 'a', false],
    ['$HOME/x', 'a', false],
  ])('[MAN-7] with Read(%s) taken away, %j may be read: %s', async (denied, path, expected) => {
    expect(await allows(without(`Read(${denied})`), 'Read', { file_path: path })).toBe(expected)
  })

  test('[MAN-7] a search that looks below a folder is refused where the files may be', async () => {
    const policy = without('Grep(**/*.pem)')
    expect(await allows(policy, 'Grep', { path: 'src' })).toBe(false)
    expect(await allows(policy, 'Grep', { path: '/elsewhere' })).toBe(true)
    // Where it looks without a path, nobody says.
    expect(await allows(policy, 'Grep', { pattern: 'x' })).toBe(false)
  })

  test('[MAN-7] every path of a call has to be another', async () => {
    const policy = without('move_file(secrets/**)')
    expect(await allows(policy, 'move_file', { source: 'a', destination: 'b' })).toBe(true)
    expect(await allows(policy, 'move_file', { source: 'secrets/a', destination: 'b' })).toBe(false)
    expect(await allows(policy, 'move_file', { source: 'a', destination: 'secrets/b' })).toBe(false)
  })

  test('[MAN-7] refuses what cannot be compared without a working folder', async () => {
    const context = { tools: CONTEXT.tools }
    expect(await allows(without('Read(secrets/**)'), 'Read', { file_path: '/a' }, context)).toBe(false)
    expect(await allows(without('Read(secrets/**)'), 'Read', { file_path: 'a' }, context)).toBe(true)
    expect(await allows(without('Read(/secrets/**)'), 'Read', { file_path: '/a' }, context)).toBe(true)
  })

  test('[MAN-7] takes both separators on a Windows drive', async () => {
    const context = { tools: CONTEXT.tools, cwd: 'C:\\project' }
    const read = (path: string) => allows(without('Read(secrets/**)'), 'Read', { file_path: path }, context)
    expect(await read('secrets\\key')).toBe(false)
    expect(await read('C:\\Project\\Secrets\\key')).toBe(false)
    expect(await read('D:\\a')).toBe(true)
    expect(await read('src\\a')).toBe(true)
  })
})

describe('addresses', () => {
  test.each([
    ['domain:evil.example', 'https://evil.example/a', false],
    ['domain:evil.example', 'https://a.evil.example/', false],
    ['domain:evil.example', 'HTTPS://EVIL.example./', false],
    ['domain:evil.example', 'https://evil.example:8443/', false],
    ['domain:evil.example', 'https://good.example/?to=evil.example', true],
    ['domain:evil.example', 'https://notevil.example/', true],
    ['domain:evil.example', 'https://me@good.example/', false],
    ['domain:evil.example', 'ftp://good.example/', false],
    ['domain:evil.example', 'no address', false],
    ['domain:127.0.0.1', 'http://2130706433/', false],
    ['domain:127.0.0.1', 'http://[::ffff:127.0.0.1]/', false],
    ['domain:127.0.0.1', 'http://[64:ff9b::127.0.0.1]/', false],
    ['domain:127.0.0.1', 'http://[::1]/', true],
    ['domain:*', 'https://good.example/', false],
    ['https://x.example/admin', 'http://x.example/admin/users', false],
    ['https://x.example/admin', 'https://x.example/ADMIN', false],
    ['https://x.example/admin', 'https://x.example/a/../admin', false],
    ['https://x.example/admin', 'https://x.example/%61dmin', false],
    ['https://x.example/admin', 'https://x.example//admin', false],
    ['https://x.example/admin', 'https://x.example/help', true],
    ['https://x.example/del?id=*', 'https://x.example/del?y=1&id=2', false],
    ['https://x.example/*', 'https://y.example/', true],
    ['evil.example', 'https://good.example/', false],
  ])('[MAN-7] with WebFetch(%s) taken away, %j may be fetched: %s', async (denied, url, expected) => {
    expect(await allows(without(`WebFetch(${denied})`), 'WebFetch', { url })).toBe(expected)
  })
})

describe('texts, and tools that nobody knows', () => {
  test.each([
    ['prod', 'prod', false],
    ['prod', ' PROD ', false],
    ['prod:*', 'prod-eu', false],
    ['prod:*', 'staging', true],
    ['*eu*', 'prod-eu-1', false],
  ])('[MAN-7] with Deploy(%s) taken away, %j may be a target: %s', async (denied, target, expected) => {
    expect(await allows(without(`Deploy(${denied})`), 'Deploy', { target })).toBe(expected)
  })

  test.each([
    [{}],
    [null],
    ['prod'],
    [{ target: 7 }],
    [
      {
        get target() {
          return 'staging'
        },
      },
    ],
  ])('[MAN-7] refuses an input that does not tell: %j', async (input) => {
    expect(await allows(without('Deploy(prod)'), 'Deploy', input)).toBe(false)
  })

  test('[MAN-7] refuses every call of a tool whose argument is not known', async () => {
    expect(await allows(without('Mystery(x)'), 'Mystery', { anything: 'y' })).toBe(false)
    expect(await allows(without('Mystery(x)'), 'Other', { anything: 'y' })).toBe(true)
  })
})

describe('rights only shrink', () => {
  const rules = fc.uniqueArray(
    fc.constantFrom(
      'Read',
      'Read(docs/**)',
      'Bash',
      'Bash(git:*)',
      'Bash(git log:*)',
      'WebFetch(domain:a.b)',
      'Deploy(x:*)',
    ),
  )
  const lists = fc
    .array(rules, { maxLength: 2 })
    .map((all) => all.map((texts, index) => ({ skill: `s${index}`, rules: texts.map(rule) })))
  const call = fc.oneof(
    fc.record({
      tool: fc.constantFrom('Read', 'Grep'),
      input: fc.record({ file_path: fc.constantFrom('docs/a', 'a') }),
    }),
    fc.record({
      tool: fc.constant('Bash'),
      input: fc.record({ command: fc.constantFrom('git log', 'git push', 'ls', 'a;b') }),
    }),
    fc.record({
      tool: fc.constant('WebFetch'),
      input: fc.record({ url: fc.constantFrom('https://a.b/', 'https://c.d/') }),
    }),
    fc.record({ tool: fc.constant('Deploy'), input: fc.record({ target: fc.constantFrom('x1', 'y') }) }),
  )

  test('[MAN-7] taking away never lets through what was refused, and more of it never less', async () => {
    await fc.assert(
      fc.asyncProperty(lists, lists, rules, call, async (allowed, denied, more, { tool, input }) => {
        const judge = (policy: Policy) => allows(policy, tool, input)
        const [plain, some, most] = [
          await judge({ ...NO_POLICY, lists: allowed }),
          await judge({ ...NO_POLICY, lists: allowed, denied }),
          await judge({ ...NO_POLICY, lists: allowed, denied: [...denied, { skill: 'last', rules: more.map(rule) }] }),
        ]
        expect([plain || !some, some || !most]).toEqual([true, true])
      }),
      { numRuns: runs(300) },
    )
  })

  test('[MAN-7] a call that a rule permits is refused where the same rule takes it away', async () => {
    await fc.assert(
      fc.asyncProperty(rules, call, async (texts, { tool, input }) => {
        const allowed = { ...NO_POLICY, lists: [{ skill: 'a', rules: texts.map(rule) }] }
        const denied = { ...NO_POLICY, lists: [], denied: [{ skill: 'd', rules: texts.map(rule) }] }
        if (await allows(allowed, tool, input)) expect(await allows(denied, tool, input)).toBe(false)
      }),
      { numRuns: runs(300) },
    )
  })

  test('[MAN-7] words around a command that is taken away never free it', async () => {
    const options = fc.array(fc.constantFrom('-C /x', '--no-pager', '-c a=b'), { maxLength: 3 })
    const words = fc.array(fc.constantFrom('-C', '/x', 'origin', '-v', 'a=b', '"x y"'), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(words, options, words, async (before, between, after) => {
        const command = [...before.map(() => 'npx'), 'git', ...between, 'push', ...after].join(' ')
        expect(await bash('Bash(git push:*)', command)).toBe(false)
      }),
      { numRuns: runs(200) },
    )
  })
})
