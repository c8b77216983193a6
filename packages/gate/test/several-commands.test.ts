import { describe, expect, test } from 'vitest'
import { judge, resolveGate, type HostPolicy } from '../src/internal.ts'
import { toolset } from './toolset.ts'

async function permits(commands: unknown, policy: HostPolicy, name = 'commands'): Promise<boolean> {
  const input = { [name]: commands }
  const gate = resolveGate({ policy })
  const tools = toolset({ runAll: { as: 'Bash', argument: ['command', 'commands'] } })
  return (await judge({ tool: 'runAll', input }, [], { gate, tools, cwd: '/work' })).allowed
}

describe('several commands in one call', () => {
  const allow = ['Bash(git status)', 'Bash(npm run:*)']

  test('[GATE-3, GATE-9] are permitted where each is, by whichever rule', async () => {
    expect(await permits(['git status'], { allow })).toBe(true)
    expect(await permits(['git status', 'npm run build'], { allow })).toBe(true)
    expect(await permits(['npm run a', 'npm run b', 'git status'], { allow })).toBe(true)
  })

  test.each([
    [['git status', 'git push']],
    [['rm -rf .']],
    [['git status', 'npm run build; id']],
    [['git status', 7]],
    [['git status', ['npm', 'run', 'build']]],
    [[]],
    [{ 0: 'git status' }],
    [null],
  ])('[GATE-3, GATE-9] are refused where one is not, or is not a command: %j', async (commands) => {
    expect(await permits(commands, { allow })).toBe(false)
  })

  test('[GATE-3] are not several where the list is the words of one command', async () => {
    expect(await permits(['git status', 'npm run build'], { allow }, 'command')).toBe(false)
    expect(await permits(['git', 'status'], { allow }, 'command')).toBe(false)
  })

  test('[MAN-7, GATE-9] are denied where one of them is, or may be', async () => {
    const deny = ['Bash(rm:*)']
    expect(await permits(['git status', 'ls'], { deny })).toBe(true)
    expect(await permits(['git status', 'rm -r a'], { deny })).toBe(false)
    expect(await permits(['git status', 7], { deny })).toBe(false)
    expect(await permits(['ls', 'x'], { deny }, 'command')).toBe(false)
  })

  test('[ABUSE-114] reach a protected file together: the folder of one may be that of the next', async () => {
    const protect = ['.agent/config.json']
    expect(await permits(['cd src', 'cat x*'], { protect })).toBe(true)
    expect(await permits(['cd .agent', 'cat conf*'], { protect })).toBe(false)
    expect(await permits(['cd .agent', 'rm -r .'], { protect })).toBe(false)
    expect(await permits(['ls', 'mv .agent x'], { protect })).toBe(false)
  })
})
