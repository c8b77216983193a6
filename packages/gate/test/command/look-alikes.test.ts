import { describe, expect, test } from 'vitest'
import { openGate } from '../../src/index.ts'

/** Readers, and a program that is none. */
const PREFIXES = [
  'git log',
  'git grep',
  'git diff',
  'git stash list',
  'gh pr view',
  'find',
  'sort',
  'date',
  'awk',
  'ls',
]
const gate = openGate({ policy: { allow: PREFIXES.map((prefix) => `Bash(${prefix}:*)`) }, cwd: '/project' })
const isAllowed = async (command: string): Promise<boolean> =>
  (await gate.judge({ tool: 'Bash', input: { command } })).allowed

/** Commands that only look as if these rules covered them, by the abuse case that they are of. */
const LOOK_ALIKES: Readonly<Record<string, readonly string[]>> = {
  'ABUSE-35': [
    'gitx log',
    'gitlog',
    'GIT log',
    './git log',
    '/tmp/git log',
    'git\u00A0log',
    'PATH=.:$PATH git log',
    'git',
  ],
  'ABUSE-36': [
    'git log; rm -rf .',
    'git log && rm -rf .',
    'git log || rm -rf .',
    'git log | sh',
    'git log & rm -rf .',
    'git log\nrm -rf .',
    'git log $(rm -rf .)',
    'git log `rm -rf .`',
    'git log <(rm -rf .)',
    'git log > /etc/passwd',
    'git log << EOF\nx\nEOF',
    '(git log)',
    'time git log',
    'if git log; then id; fi',
  ],
  'ABUSE-37': ['[[ -v a[$(id)] ]]', 'awk ${x@P}', 'git log ${x@P}', 'git log "$(id)"'],
  'ABUSE-38': ['GIT_PAGER="rm -rf ." git log', 'LD_PRELOAD=./x.so git log'],
  'ABUSE-39': [
    "git -c alias.x='!id' x",
    "git -c core.fsmonitor='id' log",
    'git grep -Oid needle',
    'git diff --output=x HEAD',
    'git diff --ext-diff HEAD',
    'git log --format=%G?',
    'git log --help',
  ],
  'ABUSE-41': [
    'find . -exec id {} +',
    'find . -delete',
    'sort --compress-program=id a',
    'sort -o a b',
    'date -s 2020-01-01',
    'gh pr view --web 1',
    'xargs git log',
    'env git log',
    'timeout 1 git log',
  ],
  'ABUSE-42': ['find *', 'ls ?', 'ls [a-z]', 'git log {-O,x}'],
  'ABUSE-43': [
    Array.from({ length: 51 }, () => 'git log').join('; '),
    `git log ${'a'.repeat(10_001)}`,
    'git log "unclosed',
    'git log $((',
  ],
}

describe('rules with a prefix', () => {
  test.each([
    'git log --oneline -20',
    "git diff 'HEAD~1'",
    'git grep needle',
    'find . -name a.md',
    'gh pr view 1',
    'ls -la',
    'git log --oneline | sort -u && date +%F',
    'ls docs/*.md 2>/dev/null',
    'awk \'BEGIN{system("id")}\'',
    Array.from({ length: 50 }, () => 'git log').join('; '),
  ])('[GATE-3] permit %j', async (command) => {
    expect(await isAllowed(command)).toBe(true)
  })

  const cases = Object.entries(LOOK_ALIKES).flatMap(([id, commands]) => commands.map((each) => [id, each] as const))
  test.each(cases)('[GATE-3, %s] do not permit %j', async (_, command) => {
    expect(await isAllowed(command)).toBe(false)
  })
})
