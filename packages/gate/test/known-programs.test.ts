import { describe, expect, test } from 'vitest'
import { judge, resolveGate, type GateMode, type HostPolicy } from '../src/internal.ts'
import { rule } from './rules.ts'
import { toolset } from './toolset.ts'

interface Asked {
  readonly policy?: HostPolicy
  readonly mode?: GateMode
  readonly input?: object
}

/** How a command is judged while a skill with one rule is active, and the host permits only known programs. */
async function judged(allowed: string, command: string, { policy = {}, mode = 'restrict', input = {} }: Asked = {}) {
  const skill = { name: 's', location: '/skills/s', scripts: [], rules: [rule(allowed)] }
  const gate = resolveGate({ enforcement: mode, policy: { programs: 'known', ...policy } })
  return judge({ tool: 'Bash', input: { command, ...input } }, [skill], { gate, tools: toolset(), cwd: '/project' })
}

const runs = async (...args: Parameters<typeof judged>): Promise<boolean> => (await judged(...args)).allowed

describe('a policy of known programs', () => {
  test.each([
    ['Bash(git log:*)', 'git log -p'],
    ['Bash(ls:*)', 'ls -la'],
    ['Bash(mkdir:*)', 'mkdir -p x'],
    ['Bash(docker:*)', 'docker ps'],
    ['Bash(wc:*)', 'wc -l x'],
    ['Bash(curl:*)', 'curl -s https://a.b'],
    ['Bash', 'git status'],
    ['Bash(*)', 'rg x'],
  ])('[GATE-11] permits %s to run %s', async (allowed, command) => {
    expect(await runs(allowed, command)).toBe(true)
  })

  test.each([
    ['Bash(make:*)', 'make test'],
    ['Bash(npm run:*)', 'npm run build'],
    ['Bash(npx:*)', 'npx x'],
    ['Bash(python3:*)', 'python3 x.py'],
    ['Bash(python3.12:*)', 'python3.12 x.py'],
    ['Bash(sqlite3:*)', 'sqlite3 x.db .tables'],
    ['Bash(bash x.sh:*)', 'bash x.sh a'],
    ['Bash(docker run:*)', 'docker run x'],
    ['Bash(sort:*)', 'sort x'],
    ['Bash(env:*)', 'env git status'],
    ['Bash(curl -o:*)', 'curl -o x https://a.b'],
    ['Bash(prettier:*)', 'prettier --check .'],
    ['Bash(acme:*)', 'acme x'],
    ['Bash(./git:*)', './git status'],
    ['Bash(/tmp/ls:*)', '/tmp/ls'],
    ['Bash', 'make'],
    ['Bash', 'acme'],
    ['Bash', '/tmp/git status'],
    ['Bash', './ls'],
    ['Bash', 'git status; make'],
    ['Bash', 'git -c a.b=id log'],
    ['Bash', 'openssl req -keygen_engine ./x.so'],
    ['Bash', 'xargs git'],
    ['Bash', 'env git status'],
    ['Bash(*)', 'python3 x.py'],
  ])('[GATE-11] does not permit %s to run %s', async (allowed, command) => {
    expect(await runs(allowed, command)).toBe(false)
    expect(await runs(allowed, command, { mode: 'preapprove' })).toBe(true)
    const judgement = await judged(allowed, command, { mode: 'preapprove' })
    expect(judgement.allowed && judgement.isPreapproved()).toBe(false)
  })

  test('[GATE-11] permits what a rule names word by word, whatever it runs', async () => {
    expect(await runs('Bash(npm test)', 'npm test')).toBe(true)
    expect(await runs('Bash(acme x)', 'acme x')).toBe(true)
    expect(await runs('Bash(npm test)', 'npm test -- x')).toBe(false)
  })

  test('[GATE-11] is about the rules of skills: what the host itself allows is its own decision', async () => {
    expect(await runs('Read', 'make', { mode: 'advisory', policy: { allow: ['Bash(make:*)'] } })).toBe(true)
    expect(await runs('Bash(make:*)', 'make', { policy: { allow: ['Bash(make:*)'] } })).toBe(false)
    expect(await runs('Bash(make:*)', 'make x', { policy: { programs: 'any' } })).toBe(true)
  })

  test('[GATE-11, GATE-12] holds for the other arguments of a shell as a whole', async () => {
    expect(await runs('Bash', 'git status', { input: { env: { PATH: '/tmp' } } })).toBe(false)
    expect(await runs('Bash', 'git status', { input: { description: 'x' } })).toBe(true)
  })

  test.each([
    ['Bash(make:*)', 'make', '"make" runs code by its nature'],
    ['Bash(acme:*)', 'acme x', '"acme" is not a program that is known here'],
  ])('[GATE-11] %s: says why', async (allowed, command, why) => {
    expect(await judged(allowed, command)).toMatchObject({
      refusal: {
        code: 'TOOL_NOT_ALLOWED',
        refusedBy: { skill: 's' },
        allowedTools: [],
        reason:
          `"Bash" may not be used while the skill "s" is active; in the command "${command}", ${why}, and ` +
          "the host's policy permits such programs only by a rule with exactly these words.",
      },
    })
  })
})
