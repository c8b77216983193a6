import { describe, expect, it } from 'vitest'
import { openGate } from '../src/index.ts'
import { runCommand } from './judge-calls-example.ts'

describe('openGate', () => {
  it('allows a call that a rule of the policy covers, and refuses others with a reason for the model', async () => {
    const run = (command: string): string => `ran ${command}`
    expect(await runCommand('git log -1', run)).toBe('ran git log -1')
    expect(await runCommand('git log -1 && git push', run)).toContain("the host's policy disallows Bash(git push:*)")
    expect(await runCommand('git log --ext-diff', run)).toContain('in git log, --ext-diff is not known to only read')
    expect(await runCommand('cat .env', run)).toContain('the command "cat .env" is not covered by a rule')
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

  it('allows every call without a policy', async () => {
    expect(await openGate().judge({ tool: 'Bash', input: { command: 'rm -rf /' } })).toEqual({ allowed: true })
  })

  it.each([
    [{ polici: {} }, 'unknown option `polici`. Did you mean `policy`?'],
    [{ policy: { allow: 'Read' } }, '`policy.allow`'],
    [{ policy: { deny: ['Bash(git'] } }, '`policy.deny` holds "Bash(git"'],
    [{ toolMap: { run: { as: 'Bash', kind: 'shel' } } }, '`toolMap.run.kind`'],
    [{ policy: { programs: 'known' } }, 'unknown option `policy.programs`'],
    [{ cwd: 'project' }, '`cwd` is not an absolute path'],
    [{ cwd: '~/project' }, '`cwd` is not an absolute path'],
  ])('refuses the options %o before any call', (options, message) => {
    expect(() => openGate(options as never)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }),
    )
  })
})

describe('a call', () => {
  const gate = openGate({ policy: { protect: ['.env'] }, cwd: '/project' })

  it.each([
    ['{"file_path":".env"}'],
    [new Map([['file_path', '.env']])],
    [Object.create({ file_path: '.env' })],
    [['.env']],
    [null],
  ])('whose input is %o is an error, since the tool may read it otherwise', async (input: unknown) => {
    await expect(gate.judge({ tool: 'Read', input })).rejects.toThrow('is not a plain object')
  })

  it.each([
    [Object.defineProperty({}, 'file_path', { value: 'a.md' })],
    [
      {
        get file_path() {
          return 'a.md'
        },
      },
    ],
    [{ file_path: 'a.md', [Symbol('path')]: 'b' }],
    [{ file_path: 'a.md', of: new Map([['cwd', '/etc']]) }],
    [{ file_path: 'a.md', of: () => 'b' }],
    [{ file_path: new URL('file:///project/.env') }],
  ])('whose input is %o could change until the tool reads it, so that no rule covers it', async (input) => {
    expect(await gate.judge({ tool: 'Read', input: { file_path: 'a.md' } })).toMatchObject({ allowed: true })
    for (const policy of [{ protect: ['.env'] }, { allow: ['Read(*.md)'] }, { deny: ['Read(x)'] }]) {
      expect(await openGate({ policy, cwd: '/project' }).judge({ tool: 'Read', input })).toMatchObject({
        allowed: false,
      })
    }
  })

  it('whose input holds a date, as frameworks parse them, is judged', async () => {
    const input = { file_path: 'a.md', since: new Date(0) }
    expect(await gate.judge({ tool: 'Read', input })).toEqual({ allowed: true })
    expect(await gate.judge({ tool: 'Read', input: { ...input, file_path: '.env' } })).toMatchObject({ allowed: false })
  })

  it.each([[undefined], [null], [5], [{}], [{ tool: 7 }], [{ toolName: 'Read', args: {} }]])(
    'that is %o is an error',
    async (call: unknown) => {
      await expect(openGate().judge(call as never)).rejects.toThrow('judge: the call has no `tool`')
    },
  )
})

it('a gate is not changed by later changes of its options', async () => {
  const argument = ['script']
  const gate = openGate({
    policy: { deny: ['Bash(rm:*)'] },
    toolMap: { run: { as: 'Bash', argument, kind: 'shell' } },
  })
  argument[0] = 'other'
  expect(await gate.judge({ tool: 'run', input: { script: 'rm -rf /' } })).toMatchObject({ allowed: false })
})
