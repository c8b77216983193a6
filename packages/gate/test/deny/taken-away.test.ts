import { describe, expect, test } from 'vitest'
import { mayUse, NO_POLICY } from '../../src/internal.ts'
import { permits } from '../permits.ts'
import { toolset } from '../toolset.ts'

/** What a rule that takes away still leaves, beside what it means. */

const tools = toolset({ Deploy: { argument: 'target', kind: 'text' } })

async function leaves(pattern: string, tool: string, input: Record<string, unknown>, cwd = '/p'): Promise<boolean> {
  const policy = { ...NO_POLICY, lists: [], denied: [{ skill: 's', rules: [{ tool, pattern }] }] }
  return (await permits(policy, { tool, input }, { tools, cwd })).allowed
}

test('[MAN-7] "*" takes every tool away', () => {
  const policy = { ...NO_POLICY, lists: [], denied: [{ skill: 's', rules: [{ tool: '*' }] }] }
  for (const tool of ['Bash', 'mcp__a__b', 'x']) expect(mayUse(policy, tool, toolset())).toBe(false)
})

test.each([
  ['git push', 'echo push git', true],
  ['git push', 'git push', false],
  ['git remote add', 'git add remote', true],
  ['git remote add', 'git remote -v add x', false],
  ['git push --force', 'git push', true],
  ['git push --force', 'git push -', true],
  ['git push --force', 'git push -- x', true],
  // Options match as they are written.
  ['git push --force', 'git push --force', false],
  ['git push --force', 'git push -f', true],
  ['rm -rf', 'rm -rf x', false],
  ['rm -rf', 'rm -r -f x', true],
])('[MAN-7] Bash(%s:*) taken away leaves %j: %s', async (pattern, command, expected) => {
  expect(await leaves(`${pattern}:*`, 'Bash', { command })).toBe(expected)
})

describe('paths', () => {
  test.each([
    ['docs/**', '/x/proc/self/docs', '/p', true],
    ['docs/**', '/proc/self/cwd', '/p', false],
    ['docs/**', '/proc/12/task/345/cwd/x', '/p', false],
    ['docs/**', '/dev/fd', '/p', false],
    ['/a/docs/**', 'proc/self/cwd/a/docs/x', '/', false],
    ['docs/**', '/dev/fdisk', '/p', true],
    // Groups in a rule may mean any of what they hold.
    ['@(a|b)/c', 'a/c', '/p', false],
    ['(a|b)/c', 'a/c', '/p', false],
    ['(a|b)/c', 'a/d', '/p', true],
    ['[x]{a/b,c}/**', 'z', '/p', false],
    ['[x]y{a/b,c}/**', 'z', '/p', false],
    ['[x]y{a,c}/**', 'z', '/p', true],
    ['a{b/c', 'axb/c', '/p', false],
    ['a{b/c', 'x/c', '/p', true],
    // A "~" is a home only where it begins the pattern; whose, nobody says.
    ['a/~b/c', 'z', '/p', false],
    ['~bob/.ssh/**', 'docs/a', '/p', true],
    ['~bob/.ssh/**', '/home/bob/.ssh/id', '/p', false],
    ['~/.ssh/**', 'docs\\a', 'C:\\p', true],
    // The working folder stands for itself, whatever its name holds.
    ['docs/**', '/pxx/docs/a', '/p*', true],
    ['docs/**', 'docs/a', '/p*', false],
    ['docs/**', 'src/a', '/p[1]', true],
    ['docs/**', 'docs/a', '/p[1]', false],
    ['docs/**', 'D:\\p\\docs\\a', 'C:\\p', true],
    ['docs/**', 'C:\\p\\docs\\a', 'C:\\p', false],
    ['C:\\p\\docs\\**', 'src\\a', 'C:\\p', true],
    ['C:\\p\\docs\\**', 'docs\\a', 'C:\\p', false],
    // Without a folder to take it against, a relative pattern may mean any absolute path.
    ['docs/**', '/x/docs/a', '', false],
  ])('[MAN-7] Read(%s) taken away leaves %j in %j: %s', async (pattern, path, cwd, expected) => {
    expect(await leaves(pattern, 'Read', { path }, cwd)).toBe(expected)
  })

  test('[MAN-7] a search elsewhere is left, whatever the name of the working folder holds', async () => {
    expect(await leaves('docs/**', 'Grep', { path: '/q' }, '/p[1]')).toBe(true)
    expect(await leaves('docs/**', 'Grep', { path: '/p[1]' }, '/p[1]')).toBe(false)
    expect(await leaves('docs/**', 'Grep', { path: '.' }, '/p[1]')).toBe(false)
  })

  test('[MAN-7] a folder beside a pattern of files is left, but no pattern that begins there', async () => {
    expect(await leaves('docs/*.md', 'Glob', { path: 'docs/sub' })).toBe(true)
    expect(await leaves('docs/*.md', 'Glob', { pattern: 'docs/sub/*' })).toBe(false)
    expect(await leaves('docs/*.md', 'Glob', { pattern: 'src/sub/*' })).toBe(true)
  })
})

test.each([
  ['domain:a.b', 'https://c.d/', true],
  ['domain:*.a.b', 'https://c.d/', true],
  ['domain:*.a.b', 'https://x.a.b/', false],
  ['domain:a.*.b', 'https://c.d/', false],
  ['domain:0.0.0.0', 'https://c.d/', true],
  ['domain:127.0.1.1', 'http://[::ffff:127.0.1.1]/', false],
  ['domain:127.0.1.1', 'http://[::ffff:127.0.1.2]/', true],
  ['http://a.b/x', 'https://c.d/', true],
  ['http://a.b/x', 'https://a.b/x', false],
  ['http://a.b/x', 'https://a.b/y', true],
  ['https://a.b:8443/*', 'https://c.d/', true],
  ['https://a.b:8443/*', 'https://a.b/', false],
  ['https://a.b:*/x', 'https://a.b:1/x', false],
  ['https://a.b:*/x', 'https://c.d/x', true],
  ['xhttps://a.b/', 'https://c.d/', false],
  ['https://a.b/x#y', 'https://c.d/', false],
])('[MAN-7] WebFetch(%s) taken away leaves %s: %s', async (pattern, url, expected) => {
  expect(await leaves(pattern, 'WebFetch', { url })).toBe(expected)
})

test.each([
  ['prod', 'private', true],
  ['prod', 'prod', false],
  ['prod', ' PROD', false],
  ['prod:*', 'production', false],
  ['prod:*', 'prize', true],
])('[MAN-7] Deploy(%s) taken away leaves %j: %s', async (pattern, target, expected) => {
  expect(await leaves(pattern, 'Deploy', { target })).toBe(expected)
})

test.each([
  ['C:\\Users\\x\\.ssh\\id', false],
  ['.ssh\\id', false],
  ['C:\\Users\\x\\notes.txt', true],
])('[MAN-7] Read(~/.ssh/**) taken away means every home on every drive of Windows: %j', async (path, expected) => {
  expect(await leaves('~/.ssh/**', 'Read', { file_path: path }, 'C:\\work')).toBe(expected)
})

test.each(["make '$(rm)'", 'echo `rm`'])('[MAN-7] Bash(rm:*) taken away leaves no %j', async (command) => {
  expect(await leaves('rm:*', 'Bash', { command })).toBe(false)
})

describe('a program by another name, or behind another one', () => {
  test.each([
    ['python', 'python3.12 -m x'],
    ['rm', 'npx rm x'],
    ['git push', "make 'X!=git push'"],
    ['git push', 'npx -c "git push"'],
    ['git push', "sqlite3 x '.shell git push'"],
    ['git push', 'cmake -E env git push'],
    ['prettier', 'npx prettier --plugin=./x y'],
  ])('[ABUSE-113, ABUSE-114] a rule that denies %s means %s', async (denied, command) => {
    expect(await leaves(`${denied}:*`, 'Bash', { command })).toBe(false)
  })
})
