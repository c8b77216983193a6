import { describe, expect, test } from 'vitest'
import { findRiskyRules } from '../src/internal.ts'
import { bash, rule } from './rules.ts'
import { toolset } from './toolset.ts'

const withoutEffect = async (...rules: string[]): Promise<readonly string[]> =>
  (await findRiskyRules(rules.map(rule), toolset({ ask: { argument: 'text', kind: 'text' } }))).noEffect.map(
    (found) => found.rule,
  )

describe('rules that permit nothing', () => {
  test.each([
    'Bash(git log|cat:*)',
    'Bash(git log; id)',
    'Bash($X:*)',
    'Bash(git* log)',
    'Bash()',
    'Bash(:*)',
    'Bash(git difftool:*)',
    'Bash(git secrets:*)',
    'Bash(git --unknown log:*)',
    'Bash(docker login:*)',
    'Bash(gh extension install:*)',
    'Bash(npm config set:*)',
    'Bash(uv run git difftool:*)',
    'Read(~/x)',
    'Read(../x)',
    'Read()',
    'WebFetch(example.com)',
    'WebFetch(ftp://example.com)',
    'WebFetch(https://*)',
    'WebFetch(https://a*.example.com/x)',
    'WebFetch(https://example.com/x#y)',
    'WebFetch(domain:a b)',
    'ask()',
    'execute_sql(:*)',
  ])('[GATE-10, GATE-15] %s is one of them', async (text) => {
    expect(await withoutEffect('Read', text)).toEqual([text])
  })

  test.each([
    ['Bash(git log:*)', 'git log'],
    ['Bash(docker run:*)', 'docker run x'],
    ['Bash(git bisect run:*)', 'git bisect run x'],
    ['Bash(curl -o:*)', 'curl -o x https://a.b'],
    ['Bash(git -C x log:*)', 'git -C x log'],
    ['Bash(git log --ext-diff:*)', 'git log --ext-diff'],
    ['Bash(git log -n:*)', 'git log -n 5'],
    ['Bash(npm config:*)', 'npm config get a'],
    ['Bash(env:*)', 'env x'],
    ['Bash(awk:*)', 'awk x'],
    ['Bash(sed:*)', 'sed -n 1p x'],
    ['Bash(git difftool -x id)', 'git difftool -x id'],
    ['Bash(*)', 'id'],
  ])('[GATE-10, GATE-15] %s is none of them: it permits %s', async (text, command) => {
    expect(await withoutEffect(text)).toEqual([])
    expect(await bash([text], command)).toBe(true)
  })

  test.each([
    'Read(docs/**)',
    'Read(*)',
    'WebFetch(domain:*.a.b)',
    'WebFetch(*)',
    'WebFetch(https://a.b/*)',
    'WebFetch(https://*.a.b/x*y)',
    'Unknown(x)',
  ])('[GATE-10, GATE-15] %s is none of them', async (text) => {
    expect(await withoutEffect(text)).toEqual([])
  })

  test('[GATE-10] are told with the reason', async () => {
    const { noEffect } = await findRiskyRules([rule('Bash(git log|cat:*)'), rule('Bash(docker login:*)')], toolset())
    expect(noEffect).toEqual([
      { rule: 'Bash(git log|cat:*)', why: 'its pattern is not one plain command' },
      {
        rule: 'Bash(docker login:*)',
        why: '"docker login" is not among the uses that are known to be harmless, so that only a rule with exactly these words permits it',
      },
    ])
  })
})
