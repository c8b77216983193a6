import { describe, expect, it } from 'vitest'
import { openGate, ruleCovers } from '../src/index.ts'
import { runCommand } from './judge-calls-example.ts'

describe('openGate', () => {
  it('allows a call that a rule of the policy covers, and refuses others with a reason for the model', async () => {
    const run = (command: string): string => `ran ${command}`
    expect(await runCommand('git log -1', run)).toBe('ran git log -1')
    expect(await runCommand('git log -1 && git push', run)).toContain("the host's policy disallows Bash(git push:*)")
    expect(await runCommand('git log --ext-diff', run)).toContain(
      '"--ext-diff" of "git log" is not known to be harmless',
    )
    expect(await runCommand('cat .env', run)).toContain('is not of that form')
  })

  it('refuses calls that name a protected file, by whichever path', async () => {
    const gate = openGate({ policy: { protect: ['.env'] }, cwd: '/project' })
    for (const path of ['.env', '/project/.env', 'docs/../.env']) {
      const verdict = await gate.judge({ tool: 'Read', input: { file_path: path } })
      expect([path, verdict]).toMatchObject([
        path,
        { allowed: false, refusal: { refusedBy: { by: 'policy.protect' } } },
      ])
    }
    expect(await gate.judge({ tool: 'Read', input: { file_path: 'docs/env' } })).toEqual({ allowed: true })
  })

  it('says by which rule somebody is to be asked before a call runs', async () => {
    const gate = openGate({ policy: { ask: ['Bash(git push:*)'] } })
    const command = 'git push origin main'
    expect(await gate.judge({ tool: 'Bash', input: { command } })).toEqual({
      allowed: true,
      askedBy: 'Bash(git push:*)',
    })
  })

  it('tells which tools could be used at all', () => {
    const gate = openGate({ policy: { allow: ['Read'] }, hostTools: ['Read', 'Bash'] })
    expect([gate.mayUse('Read'), gate.mayUse('Bash')]).toEqual([true, false])
  })

  it('allows every call without a policy', async () => {
    expect(await openGate().judge({ tool: 'Bash', input: { command: 'rm -rf /' } })).toEqual({ allowed: true })
  })

  it.each([
    [{ polici: {} }, 'unknown option `polici`. Did you mean `policy`?'],
    [{ policy: { allow: 'Read' } }, '`policy.allow`'],
    [{ policy: { deny: ['Bash(git'] } }, '`policy.deny` holds "Bash(git"'],
    [{ tools: { run: { as: 'Bash', kind: 'shel' } } }, '`tools.run.kind`'],
  ])('refuses the options %o before any call', (options, message) => {
    expect(() => openGate(options as never)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    )
  })
})

describe('ruleCovers', () => {
  it.each([
    ['Bash(git log:*)', { tool: 'Bash', input: { command: 'git log -1' } }, true],
    ['Bash(git log:*)', { tool: 'Bash', input: { command: 'git log -1 > notes.txt' } }, false],
    ['Read(docs/**)', { tool: 'Read', input: { file_path: 'docs/guide.md' } }, true],
    ['Read(docs/**)', { tool: 'Read', input: { file_path: 'docs/../.env' } }, false],
    ['WebFetch(domain:example.com)', { tool: 'WebFetch', input: { url: 'https://example.com/a' } }, true],
    ['WebFetch(domain:example.com)', { tool: 'WebFetch', input: { url: 'https://example.com.evil.org/a' } }, false],
  ])('compares %s with %o: %s', async (rule, call, expected) => {
    expect(await ruleCovers(rule, call, { cwd: '/project' })).toBe(expected)
  })
})
