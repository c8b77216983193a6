import { describe, expect, test } from 'vitest'
import { describeRules, type GateMode, type HostPolicy, judge, resolveGate } from '../src/internal.ts'
import { rule } from './rules.ts'
import { toolset } from './toolset.ts'

/** Whether a command may run while a skill with one rule is active, and the host permits only known programs. */
async function runs(allowed: string, command: string, policy: HostPolicy = {}, mode: GateMode = 'restrict') {
  const skill = { name: 's', location: '/skills/s', scripts: [], rules: [rule(allowed)] }
  const gate = resolveGate({ enforcement: mode, policy: { programs: 'known', ...policy } })
  const context = { gate, tools: toolset(), cwd: '/project' }
  return (await judge({ tool: 'Bash', input: { command } }, [skill], context)).allowed
}

describe('a policy of known programs', () => {
  test.each([
    ['Bash(git log:*)', 'git log -p'],
    ['Bash(ls:*)', 'ls -la'],
    ['Bash(sort -k 2:*)', 'sort -k 2 x'],
    ["Bash(find . -name '*.ts':*)", "find . -name '*.ts' -print"],
    ['Bash(npm test)', 'npm test'],
    ['Bash(make)', 'make'],
  ])('[GATE-11] permits %s to run %s', async (allowed, command) => {
    expect(await runs(allowed, command)).toBe(true)
  })

  test.each([
    ['Bash(make:*)', 'make test'],
    ['Bash(git:*)', 'git log'],
    ['Bash(git branch:*)', 'git branch --list'],
    ['Bash(./ls:*)', './ls'],
    ['Bash(sort -o:*)', 'sort -o x y'],
    ['Bash(sort --compress-program:*)', 'sort --compress-program sh x'],
    ['Bash(find . -execdir sh -c:*)', 'find . -execdir sh -c id'],
    ['Bash(rg --pre:*)', 'rg --pre sh x'],
    ['Bash(git grep --open-files-in-pager=sh:*)', 'git grep --open-files-in-pager=sh x'],
    ['Bash(git log --ext-diff:*)', 'git log --ext-diff -p'],
    ['Bash(git log --grep:*)', 'git log --grep --output=x'],
    ['Bash', 'ls'],
    ['Bash(*)', 'ls'],
    ['Bash(:*)', 'ls'],
    ['shell', 'ls'],
  ])('[GATE-11] drops %s, so that %s may not run', async (allowed, command) => {
    expect(await runs(allowed, command)).toBe(false)
    expect(await runs(allowed, command, { programs: 'any' })).toBe(true)
  })

  test('[GATE-11] is about the rules of skills: what the host itself allows is its own decision', async () => {
    expect(await runs('Read', 'make x', { allow: ['Bash(make:*)'] }, 'advisory')).toBe(true)
    expect(await runs('Bash(make:*)', 'make x', { allow: ['Bash(make:*)'] })).toBe(false)
  })
})

describe('what is said of rules', () => {
  const said = (...rules: string[]) => describeRules(rules.map(rule), toolset())

  test('[GATE-11] is one sentence for all that are unbounded', () => {
    expect(said('Bash(sed:*)', 'Bash(npm run:*)', 'Bash(npm test)', 'Bash(ls:*)', 'Read')).toMatchObject({
      unbounded: ['Bash(sed:*)', 'Bash(npm run:*)'],
      unboundedText: 'may do anything that sed and npm can do on this machine',
    })
    expect(said('Bash', 'Bash(sed:*)').unboundedText).toBe('may run any command on this machine')
    expect(said('Bash(ls:*)', 'Bash(npm test)')).not.toHaveProperty('unboundedText')
    const many = Array.from({ length: 30 }, (_, index) => `Bash(p${index}:*)`)
    expect(said(...many).unboundedText).toMatch(/^may do anything that p0, .*, p19, and 10 more can do/)
  })

  test('[GATE-11] names readers of git, which may run what a configuration names, unless the host prevents it', () => {
    const text = "git log and git ls-files may run what the repository's git configuration names"
    expect(said('Bash(git log:*)', 'Bash(git ls-files -o:*)', 'Bash(gh pr view:*)').gitText).toBe(text)
    expect(said('Bash(ls:*)')).not.toHaveProperty('gitText')
    expect(said('Bash(git diff --no-ext-diff --no-textconv:*)')).toHaveProperty('gitText')
    expect(describeRules([rule('Bash(git diff:*)')], toolset(), true)).not.toHaveProperty('gitText')
  })
})
