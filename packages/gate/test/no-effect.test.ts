import { describe, expect, test } from 'vitest'
import { describeRules } from '../src/internal.ts'
import { bash, rule } from './rules.ts'
import { toolset } from './toolset.ts'

const withoutEffect = (...rules: string[]): readonly string[] =>
  describeRules(rules.map(rule), toolset({ ask: { argument: 'text', kind: 'text' } })).noEffect.map(
    (found) => found.rule,
  )

describe('rules that permit nothing', () => {
  test.each([
    'Bash(git log|cat:*)',
    'Bash(git log; id)',
    'Bash(git log && id)',
    'Bash($X:*)',
    'Bash(git* log)',
    'Bash(git*)',
    'Bash(git log*)',
    'Bash()',
    'Bash(A=1 make:*)',
    'Bash("git)',
    `Bash(${'x'.repeat(1_001)})`,
    'Read(~/x)',
    'Read(../x)',
    'WebFetch(example.com)',
    'ask(a*b)',
    'ask(**)',
  ])('[GATE-15] %s is one', (text) => {
    expect(withoutEffect(text)).toEqual([text.length > 900 ? expect.stringContaining('xxx') : text])
  })

  test.each([
    'Bash',
    'Bash(*)',
    'Bash(:*)',
    'Bash(git:*)',
    'Bash(git log *)',
    'Bash(npm run test:e2e)',
    'Bash(/opt/skills/pdf/scripts/*)',
    'Bash(${CLAUDE_SKILL_DIR}/scripts/*)',
    'Read(docs/**)',
    'WebFetch(domain:example.com)',
    'ask(a:*)',
    'Unknown(x)',
  ])('[GATE-15] %s is none', (text) => {
    expect(withoutEffect(text)).toEqual([])
  })

  test('[GATE-15] permit no command', async () => {
    for (const text of ['Bash(git*)', 'Bash(git log*)']) expect(await bash([text], 'git log')).toBe(false)
  })
})
