import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openGate } from '../src/index.ts'
import { judge as judgeCall, resolveGate, type HostPolicy, type HostTools } from '../src/internal.ts'
import { toolset } from './toolset.ts'

interface Tool {
  readonly cwd?: string | undefined
  readonly tools?: HostTools
}

async function runs(policy: HostPolicy, input: unknown, { cwd = '/project', tools = {} }: Tool = {}): Promise<boolean> {
  const context = { gate: resolveGate({ policy }), tools: toolset(tools), cwd }
  return (await judgeCall({ tool: 'Bash', input }, [], context)).allowed
}

const shell = (more: object): HostTools => ({ Bash: { argument: 'command', kind: 'shell', ...more } })

const ALLOW: HostPolicy = { allow: ['Bash(git status:*)'] }
const DENY: HostPolicy = { deny: ['Bash(git push:*)'] }

describe('what a command is called with', () => {
  test.each([
    { description: 'x', timeout: 5_000, run_in_background: true },
    { timeoutMs: 1, max_output_tokens: 10, justification: 'x' },
    { cwd: '/project' },
    { cwd: '/project/' },
    { workdir: '.' },
    { working_directory: '' },
    { cwd: 'sub' },
    { cwd: '/project/sub' },
    { env: null, cwd: null },
    { env: undefined },
  ])('[GATE-12] changes nothing of its meaning: %j', async (more) => {
    expect(await runs(ALLOW, { command: 'git status', ...more })).toBe(true)
    expect(await runs({ allow: ['Bash(git status)'] }, { command: 'git status', ...more })).toBe(true)
    expect(await runs(DENY, { command: 'git status', ...more })).toBe(true)
  })

  test.each([
    { cwd: '/other' },
    { cwd: '/project/../other' },
    { cwd: '~' },
    { cwd: '$HOME' },
    { cwd: ['/project'] },
    { workdir: '..' },
    { workingDirectory: '/' },
    { env: { GIT_PAGER: 'id' } },
    { env: {} },
    { environment: [] },
    { shell: '/tmp/x' },
    { shell: false },
    { executable: './x' },
    { args: ['push'] },
    { stdin: 'x' },
    { sandbox: false },
    { dangerouslyDisableSandbox: true },
    { login: true },
    { anything: 'x' },
    { [Symbol('env')]: {} },
    Object.defineProperty({}, 'cwd', { get: () => '/project', enumerable: true }),
  ])('[GATE-12, ABUSE-116] may change its meaning, so that no pattern permits it: %o', async (more) => {
    const input = Object.defineProperties({ command: 'git status' }, Object.getOwnPropertyDescriptors(more))
    expect(await runs(ALLOW, input)).toBe(false)
    expect(await runs({ allow: ['Bash(git status)'] }, input)).toBe(false)
    expect(await runs(DENY, input)).toBe(false)
    expect(await runs({ allow: ['Bash'] }, input)).toBe(true)
    expect(await runs({ deny: ['Read'] }, input)).toBe(true)
  })

  test('[GATE-12] is what the model is told', async () => {
    const context = { gate: resolveGate({ policy: ALLOW }), tools: toolset(), cwd: '/project' }
    const call = { tool: 'Bash', input: { command: 'git status', env: {} } }
    expect(await judgeCall(call, [], context)).toMatchObject({
      refusal: {
        reason:
          '"Bash" may only be used as Bash(git status:*) here; its argument "env" may change what the command means. ' +
          'Call it with the command alone.',
      },
    })
  })

  test('[GATE-12] may be declared harmless by the host', async () => {
    const input = { command: 'git status', session: 'x' }
    expect(await runs(ALLOW, input)).toBe(false)
    expect(await runs(ALLOW, input, { tools: shell({ harmless: ['session'] }) })).toBe(true)
    expect(await runs(ALLOW, { ...input, Session: 'x' }, { tools: shell({ harmless: ['session'] }) })).toBe(false)
  })

  test.each([
    [{ shell: 'bash' }, '`toolMap.Bash.shell` is "bash"'],
    [{ shell: true }, '`toolMap.Bash.shell` is true'],
    [{ harmless: 'x' }, '`toolMap.Bash.harmless` is "x"'],
    [{ harmless: [1] }, '`toolMap.Bash.harmless[0]` is 1'],
  ])('[GATE-12] a table with %j is refused', (more, message) => {
    expect(() => openGate({ toolMap: shell(more) })).toThrow(message)
  })
})

describe('another shell', () => {
  const OTHER = { tools: shell({ shell: 'other' }) }

  test.each(['git status', 'git status "a b"', "git status 'a&calc'", 'git status a^b'])(
    '[GATE-12, ABUSE-115] no prefix rule matches %s',
    async (command) => {
      expect(await runs(ALLOW, { command })).toBe(true)
      expect(await runs(ALLOW, { command }, OTHER)).toBe(false)
      expect(await runs(ALLOW, { command }, { cwd: 'C:\\project' })).toBe(false)
    },
  )

  test('[GATE-12, ABUSE-115] prefix rules match on Windows where the host says that the shell is a POSIX one', async () => {
    const tools = shell({ shell: 'posix' })
    expect(await runs(ALLOW, { command: 'git status -s' }, { cwd: 'C:\\project', tools })).toBe(true)
  })

  test('[GATE-12, ABUSE-115] an exact rule matches plain words only', async () => {
    const allow = ['Bash(git status)', "Bash(echo 'a&calc')"]
    expect(await runs({ allow }, { command: 'git status' }, OTHER)).toBe(true)
    expect(await runs({ allow }, { command: "echo 'a&calc'" })).toBe(true)
    expect(await runs({ allow }, { command: "echo 'a&calc'" }, OTHER)).toBe(false)
    expect(await runs({ allow }, { command: 'git "status"' }, OTHER)).toBe(false)
  })

  test('[ABUSE-115] what is denied may be in any command with other than plain words', async () => {
    const letters = fc.constantFrom(...Array.from('^&|<>%!"\'`$;,=(){}[]*?~\\#\n\t'))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('git ', 'ls '),
        letters,
        fc.constantFrom('a', ''),
        async (begin, letter, end) => {
          expect(await runs(DENY, { command: `${begin}${letter}${end}` }, OTHER)).toBe(false)
        },
      ),
    )
    expect(await runs(DENY, { command: 'git status -s' }, OTHER)).toBe(true)
    expect(await runs(DENY, { command: 'git push' }, OTHER)).toBe(false)
  })
})
