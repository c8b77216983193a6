import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openGate } from '../src/index.ts'
import {
  type HostPolicy,
  type HostTools,
  judge,
  readArguments,
  resolveGate,
  simpleWords,
  textsOf,
} from '../src/internal.ts'
import { toolset } from './toolset.ts'

interface World {
  readonly protect?: readonly string[]
  readonly tools?: HostTools
  readonly scripts?: readonly string[]
}

/** The code of the refusal of a call; undefined: it may be made. */
async function refusal(
  policy: HostPolicy,
  tool: string,
  input: unknown,
  world: World = {},
): Promise<string | undefined> {
  const { protect = [], tools = {}, scripts } = world
  const active = scripts === undefined ? [] : [{ name: 'pdf', location: '/project/skills/pdf', scripts }]
  const context = { gate: resolveGate({ policy: { ...policy, protect } }), tools: toolset(tools), cwd: '/project' }
  const judgement = await judge({ tool, input }, active, context)
  return judgement.allowed ? undefined : judgement.refusal.code
}

const REFUSED = 'TOOL_NOT_ALLOWED'

describe('execute_command', () => {
  const run = (policy: HostPolicy, program: unknown, args?: unknown, more: object = {}, world: World = {}) =>
    refusal(policy, 'execute_command', { program, args, ...more }, world)
  const GIT: HostPolicy = { allow: ['execute_command(git log:*)'] }

  test('[TOOL-5, GATE-3] is judged by the command that its program and arguments amount to', async () => {
    expect(await run(GIT, 'git', ['log', '--oneline'])).toBeUndefined()
    expect(await run(GIT, 'git', ['log', 'a b', "it's", '*.md', '$(id)', ';id'])).toBeUndefined()
    expect(await run(GIT, 'git', ['log'], { timeoutMs: 5, cwd: '.' })).toBeUndefined()
    expect(await run({ allow: ['execute_command(pwd)'] }, 'pwd')).toBeUndefined()
    expect(await run(GIT, 'git', ['push'])).toBe(REFUSED)
    expect(await run(GIT, 'git', ['log', '--output=x'])).toBe(REFUSED)
    expect(await run(GIT, 'git log', [])).toBe(REFUSED)
    expect(await run(GIT, 'git', ['log; rm', '-rf'])).toBe(REFUSED)
    expect(await run(GIT, 'git', ['log'], { cwd: '/other' })).toBe(REFUSED)
    expect(await run(GIT, 'git', ['log'], { env: {} })).toBe(REFUSED)
  })

  test('[TOOL-5, GATE-3] is what rules about commands deny', async () => {
    const policy = { deny: ['Bash(git push:*)'] }
    expect(await run(policy, 'git', ['push', '--force'])).toBe(REFUSED)
    expect(await run(policy, 'sh', ['-c', 'git push'])).toBe(REFUSED)
    expect(await run(policy, 'git', ['status'])).toBeUndefined()
  })

  test('[TOOL-5, GATE-3] names the arguments that are not a list of texts, and not the program', async () => {
    const context = (policy: HostPolicy) => ({ gate: resolveGate({ policy }), tools: toolset({}), cwd: '/project' })
    for (const policy of [GIT, { deny: ['Bash(git push:*)'] }]) {
      const call = { tool: 'execute_command', input: { program: 'git', args: 'log' } }
      expect(await judge(call, [], context(policy))).toMatchObject({
        allowed: false,
        refusal: { reason: expect.stringContaining('its argument "args" is not a list of texts') },
      })
    }
  })

  test('[TOOL-5, GATE-3] is covered by nothing where program or arguments are something else', async () => {
    for (const args of ['log', [1], [null], { 0: 'log' }, [['log']], Array(2)]) {
      expect([args, await run(GIT, 'git', args)]).toEqual([args, REFUSED])
    }
    for (const program of [null, 5, '', ['git']])
      expect([program, await run(GIT, program, ['log'])]).toEqual([program, REFUSED])
    const hidden = Object.defineProperty({ program: 'git' }, 'args', { get: () => ['log'], enumerable: true })
    expect(await refusal(GIT, 'execute_command', hidden)).toBe(REFUSED)
    expect(await refusal(GIT, 'execute_command', Object.create({ program: 'git', args: ['log'] }))).toBe(REFUSED)
  })

  test('[TOOL-5, GATE-12] stays a command line for the tools that others call so', async () => {
    expect(await refusal(GIT, 'execute_command', { command: 'git log' })).toBeUndefined()
    expect(await refusal(GIT, 'execute_command', { command: 'git log', args: ['x'] })).toBe(REFUSED)
    expect(await refusal(GIT, 'execute_command', { command: 'rm x', program: 'git', args: ['log'] })).toBe(REFUSED)
    expect(await refusal(GIT, 'execute_command', { command: 'git log', program: 'rm', args: ['x'] })).toBe(REFUSED)
  })

  test('[TOOL-5, ABUSE-97] reaches no protected file, and removes no folder with one', async () => {
    const world = { protect: ['/project/keep/secret'] }
    expect(await run({}, 'cat', ['keep/secret'], {}, world)).toBe(REFUSED)
    expect(await run({}, 'rm', ['-r', 'keep'], {}, world)).toBe(REFUSED)
    expect(await run({}, 'cat', ['other/x'], {}, world)).toBeUndefined()
  })

  test('[TOOL-5] is a shape that a host can give its own tool', async () => {
    const tools: HostTools = { spawn: { as: 'Bash', argument: 'file', program: { name: 'file', args: 'argv' } } }
    const world = { tools }
    const policy = { allow: ['Bash(git log:*)'] }
    expect(await refusal(policy, 'spawn', { file: 'git', argv: ['log'] }, world)).toBeUndefined()
    expect(await refusal(policy, 'spawn', { file: 'git', argv: ['push'] }, world)).toBe(REFUSED)
    for (const [program, message] of [
      ['x', '`toolMap.spawn.program` is "x"'],
      [{}, '`toolMap.spawn.program.name` is missing'],
      [{ name: 'a' }, '`toolMap.spawn.program.args` is missing'],
      [{ name: '', args: 'b' }, '`toolMap.spawn.program.name` is empty'],
    ] as const) {
      const options = { toolMap: { spawn: { as: 'Bash', program } } }
      expect(() => openGate(options as object)).toThrow(message)
    }
  })

  test('[TOOL-5, GATE-3] amounts to a command of exactly those words', async () => {
    const argument = { argument: 'program', kind: 'shell', program: { name: 'program', args: 'args' } } as const
    const word = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', "'", '"', '\\', ' ', '$', '*', ';', '=', '~', '#', '-', '/'),
    })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('git', 'a b'), fc.array(word, { maxLength: 4 }), async (program, args) => {
        const words = await simpleWords(textsOf(readArguments(argument, { program, args }))[0]!)
        expect(words).toEqual([program, ...args])
      }),
    )
  })
})

describe('file_operations', () => {
  const call = (policy: HostPolicy, operation: string, path: string, more: object = {}, world: World = {}) =>
    refusal(policy, 'file_operations', { operation, path, ...more }, world)

  test('[TOOL-5, GATE-3] stands for what its operation does', async () => {
    const policy = { allow: ['Read(docs/**)', 'Write(out/**)', 'Edit(out/**)', 'LS'] }
    expect(await call(policy, 'read', 'docs/a.md')).toBeUndefined()
    expect(await call(policy, 'write', 'out/a.md', { content: 'x' })).toBeUndefined()
    expect(await call(policy, 'edit', 'out/a.md', { find: 'a', replace: 'b' })).toBeUndefined()
    expect(await call(policy, 'list', 'anywhere')).toBeUndefined()
    expect(await call(policy, 'read', 'out/a.md')).toBe(REFUSED)
    expect(await call(policy, 'write', 'docs/a.md', { content: 'x' })).toBe(REFUSED)
    expect(await call(policy, 'delete', 'out/a.md')).toBe(REFUSED)
    expect(await call(policy, 'rename', 'out/a.md', { destination: 'out/b.md' })).toBe(REFUSED)
    const own = { allow: ['file_operations(out/**)'] }
    expect(await call(own, 'rename', 'out/a.md', { destination: 'out/b.md' })).toBeUndefined()
    expect(await call(own, 'rename', 'out/a.md', { destination: 'docs/b.md' })).toBe(REFUSED)
    expect(await call({ deny: ['Write(docs/**)'] }, 'rename', 'out/a.md', { destination: 'docs/b.md' })).toBe(REFUSED)
    expect(await call({ deny: ['Read(.env)'] }, 'rename', '.env', { destination: 'x' })).toBe(REFUSED)
  })

  test('[TOOL-5, GATE-4] reads no script of an active skill', async () => {
    const world = { scripts: ['scripts/fill.py'] }
    expect(await call({}, 'read', 'skills/pdf/scripts/fill.py', {}, world)).toBe('SCRIPT_READ_BLOCKED')
    expect(await call({}, 'rename', 'skills/pdf/scripts/fill.py', { destination: 'x.py' }, world)).toBe(
      'SCRIPT_READ_BLOCKED',
    )
    expect(await call({}, 'read', 'skills/pdf/SKILL.md', {}, world)).toBeUndefined()
  })

  test('[TOOL-5, ABUSE-97] changes no protected file, and removes or renames no folder with one', async () => {
    const world = { protect: ['/project/keep/secret'] }
    expect(await call({}, 'read', 'keep/secret', {}, world)).toBe(REFUSED)
    expect(await call({}, 'delete', 'keep', { recursive: true }, world)).toBe(REFUSED)
    expect(await call({}, 'rename', 'keep', { destination: 'x' }, world)).toBe(REFUSED)
    expect(await call({}, 'delete', 'other', {}, world)).toBeUndefined()
    expect(await call({}, 'list', 'keep', {}, world)).toBeUndefined()
  })
})

describe('execute_sql and http_request', () => {
  test('[TOOL-5, GATE-3] are compared with patterns of their text and of their address', async () => {
    const policy = { allow: ['execute_sql(select *)', 'http_request(https://api.example.com/v1/*)'] }
    expect(await refusal(policy, 'execute_sql', { sql: 'select 1' })).toBeUndefined()
    expect(await refusal(policy, 'execute_sql', { query: 'select 1' })).toBeUndefined()
    expect(await refusal(policy, 'execute_sql', { sql: 'delete from users' })).toBe(REFUSED)
    expect(await refusal(policy, 'execute_sql', { sql: 'select 1', query: 'drop table users' })).toBe(REFUSED)
    expect(
      await refusal(policy, 'http_request', { url: 'https://api.example.com/v1/x', method: 'GET' }),
    ).toBeUndefined()
    expect(await refusal(policy, 'http_request', { url: 'https://example.com/v1/x' })).toBe(REFUSED)
  })
})
