import { describe, expect, it, vi } from 'vitest'
import {
  type AuditEvent,
  type ScriptOutput,
  type ScriptOwner,
  memorySource,
  openRepertoire,
} from '../../../src/index.ts'
import { refusal } from '../outcome.ts'
import { call, openScripts, processRunner, run, toolNames, use } from './script-world.ts'

describe('run_skill_script', () => {
  it('[RUN-12] runs a script of an active skill with its arguments as they are', async () => {
    const { session } = await openScripts()
    await use(session, 'tool')
    const outcome = await run(session, 'scripts/args.sh', { args: ['a b', '; echo no', '$(id)', '', '--x=*'] })
    expect(outcome).toMatchObject({
      ok: true,
      text: '<skill_output skill="tool" path="scripts/args.sh" exit="0">\n[a b]\n[; echo no]\n[$(id)]\n[]\n[--x=*]\n</skill_output>',
      value: {
        skill: 'tool',
        path: 'scripts/args.sh',
        interpreter: 'sh',
        end: 'exited',
        exitCode: 0,
        truncated: false,
      },
    })
    expect(outcome.ok && (outcome.value as ScriptOutput).stdout).toBe('[a b]\n[; echo no]\n[$(id)]\n[]\n[--x=*]\n')
  })

  it('[RUN-7] [RUN-9] works in a copy of the whole folder, with the environment of the options and nothing else', async () => {
    const { session, runner } = await openScripts({ scripts: { environment: { REGION: 'eu' } } })
    await use(session, 'tool')
    const outcome = await run(session, 'scripts/lib/beside.sh')
    const { stdout } = (outcome as { value: ScriptOutput }).value
    expect(stdout).toMatch(/^agreed\n/)
    expect(runner.jobs[0]).toMatchObject({ environment: { REGION: 'eu' }, network: false })
    expect(runner.jobs[0]?.files.map(({ path }) => path).toSorted()).toStrictEqual([
      'SKILL.md',
      'data.txt',
      'scripts/args.sh',
      'scripts/danger.sh',
      'scripts/fail.sh',
      'scripts/gem.rb',
      'scripts/lib/beside.sh',
      'scripts/wait.sh',
    ])
  })

  it('[RUN-14, ABUSE-159] gives each skill the environment that the host returns for it alone', async () => {
    const asked: unknown[] = []
    const environment = (skill: ScriptOwner): Record<string, string> => {
      asked.push(skill)
      return skill.name === 'tool' && skill.layer === 'project' ? { SECRET: 'x' } : {}
    }
    const { repertoire, runner } = await openScripts({ scripts: { environment } })
    for (const [name, script] of [
      ['reader', 'scripts/own.sh'],
      ['tool', 'scripts/lib/beside.sh'],
    ] as const) {
      await repertoire.runTask({ consent: () => true }, async (session) => {
        await session.activate(name)
        const outcome = await session.runScript(script)
        const { stdout } = (outcome as { value: ScriptOutput }).value
        expect(stdout.includes('SECRET=x')).toBe(name === 'tool')
      })
    }
    expect(runner.jobs.map((job) => job.environment)).toEqual([{}, { SECRET: 'x' }])
    expect(asked.at(-1)).toEqual({ name: 'tool', layer: 'project', source: 'memory' })
  })

  const failing: readonly (readonly [string, () => unknown, string])[] = [
    [
      'what the runner sets',
      () => ({ PATH: '/x' }),
      '`scripts.environment()` holds "PATH", which is set by the runner.',
    ],
    ['nothing', () => undefined, '`scripts.environment()` is undefined.'],
    [
      'no text',
      () => ({ KEY: ['of the vault'] }),
      '`scripts.environment().KEY` is not a text, but a value of type object.',
    ],
    ['an error', () => Promise.reject(new Error('The vault is closed.')), 'The vault is closed.'],
    ['nothing in time', () => new Promise(() => undefined), '`scripts.environment()` did not answer within 5000 ms'],
  ]
  it.each(failing)(
    '[RUN-14] refuses a script if the environment of its skill is %s',
    async (_, environment, detail) => {
      const asked = Promise.withResolvers<void>()
      const events: AuditEvent[] = []
      const given = (): never => {
        asked.resolve()
        return environment() as never
      }
      const { session, runner } = await openScripts({
        audit: { sink: { write: (event) => void events.push(event) } },
        scripts: { environment: given },
      })
      await use(session, 'tool')
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const outcome = run(session, 'scripts/args.sh')
      await asked.promise
      await vi.advanceTimersByTimeAsync(5_000)
      vi.useRealTimers()
      expect(await outcome).toMatchObject({
        ok: false,
        refusal: {
          code: 'SCRIPT_UNAVAILABLE',
          reason: '"scripts/args.sh" was not run: its environment could not be read. Go on without it.',
          detail: expect.stringContaining(detail),
        },
      })
      expect(runner.jobs).toEqual([])
      expect(JSON.stringify(events)).not.toContain('of the vault')
    },
  )

  it('[RUN-14, ABUSE-159] records no value of the environment', async () => {
    const events: AuditEvent[] = []
    const environment = async (): Promise<Record<string, string>> => ({ TOKEN: 'token of the vault' })
    const { session, runner } = await openScripts({
      audit: { sink: { write: (event) => void events.push(event) }, inputs: 'redacted' },
      scripts: { environment },
    })
    await use(session, 'tool')
    expect(await run(session, 'scripts/lib/beside.sh')).toMatchObject({ ok: true })
    expect(runner.jobs).toMatchObject([{ environment: { TOKEN: 'token of the vault' } }])
    expect(events.map(({ type }) => type)).toContain('script.finished')
    expect(JSON.stringify(events)).not.toContain('of the vault')
  })

  it('[RUN-12] gives the result of a script that fails, and not an error', async () => {
    const { session } = await openScripts()
    await use(session, 'tool')
    expect(await run(session, 'scripts/fail.sh')).toMatchObject({
      ok: true,
      text: '<skill_output skill="tool" path="scripts/fail.sh" exit="3">\nso far\n[standard error]\nwrong\n[The script failed with exit code 3.]\n</skill_output>',
      value: { exitCode: 3, stderr: 'wrong\n' },
    })
  })

  it('[RUN-12] runs a script for a program of the host, judged by the skills that are active now', async () => {
    const { session } = await openScripts({ policy: { deny: ['run_skill_script(scripts/fail.sh)'] } })
    expect(await session.runScript('scripts/args.sh')).toMatchObject(refusal('SKILL_NOT_ACTIVE', /no skill is active/i))
    await session.activate('tool')
    const outcome = await session.runScript('scripts/args.sh', { args: ['a b', '$(id)'], skill: 'tool' })
    expect(outcome).toMatchObject({ ok: true, value: { stdout: '[a b]\n[$(id)]\n', exitCode: 0 } })
    expect(await session.runScript('scripts/fail.sh')).toMatchObject({ ok: false })
    await expect(session.runScript('scripts/args.sh', { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
    await session.end()
    expect(await session.runScript('scripts/args.sh')).toMatchObject(refusal('SESSION_ENDED', /ended/))
  })

  it('[RUN-12] needs no `execute` for a call of its tool, and one for a tool of the host', async () => {
    const { session } = await openScripts()
    await session.step({ tools: ['Read'] })
    expect(await session.call({ id: '1', tool: 'activate_skill', input: { name: 'tool' } })).toMatchObject({ ok: true })
    const input = { path: 'scripts/args.sh', args: ['x'] }
    expect(await session.call({ id: '2', tool: 'run_skill_script', input })).toMatchObject({ ok: true })
    await expect(session.call({ id: '3', tool: 'Read', input: { file_path: 'data.txt' } })).rejects.toThrow(
      'call: the tool "Read" is yours. Give `execute`, a function that runs it.',
    )
  })

  it.each([
    [{ path: './scripts/args.sh' }],
    [{ path: 'scripts/./args.sh' }],
    [{ path: 'scripts/args.sh', skill: 'tool' }],
    [{ path: 'scripts/args.sh', args: null, skill: '' }],
  ])('[RUN-12] knows a script by %j', async (input) => {
    const { session } = await openScripts()
    await use(session, 'tool')
    expect(await call(session, 'run_skill_script', input)).toMatchObject({ ok: true })
  })

  it('[RUN-12] finds a script in the active skill that has it, the last activated first', async () => {
    const { session } = await openScripts()
    await use(session, 'tool')
    await use(session, 'plain')
    expect(await run(session, 'scripts/args.sh')).toMatchObject({ value: { skill: 'tool' } })
  })

  it.each([
    [{}, 'INPUT_INVALID', /`path` of `run_skill_script` is empty/],
    [{ path: 5 }, 'INPUT_INVALID', /must be a string/],
    [{ path: 'scripts/args.sh', args: 'a b' }, 'INPUT_INVALID', /must be a list of strings/],
    [{ path: 'scripts/args.sh', args: ['a', 1] }, 'INPUT_INVALID', /must be a list of strings/],
    [{ path: 'scripts/args.sh', args: ['a\0b'] }, 'INPUT_INVALID', /NUL/],
    [
      { path: 'scripts/arg.sh' },
      'RESOURCE_NOT_FOUND',
      /no script "scripts\/arg\.sh"\. Did you mean "scripts\/args\.sh"\?/,
    ],
    [{ path: 'args.sh' }, 'RESOURCE_NOT_FOUND', /Did you mean "scripts\/args\.sh"\?/],
    [{ path: 'data.txt' }, 'RESOURCE_NOT_FOUND', /no script "data\.txt"/],
    [{ path: '../other/scripts/args.sh' }, 'RESOURCE_NOT_FOUND', /no script/],
    [{ path: '/bin/sh' }, 'RESOURCE_NOT_FOUND', /no script/],
    [{ path: 'scripts/../scripts/args.sh' }, 'RESOURCE_NOT_FOUND', /no script/],
    [
      { path: 'memory:memory/tool/scripts/args.sh' },
      'RESOURCE_NOT_FOUND',
      /no script.*Did you mean "scripts\/args\.sh"\?/,
    ],
    [{ path: '/memory/tool/scripts/args.sh' }, 'RESOURCE_NOT_FOUND', /Did you mean "scripts\/args\.sh"\?/],
    [{ path: 'scripts\\args.sh' }, 'RESOURCE_NOT_FOUND', /Did you mean "scripts\/args\.sh"\?/],
    [{ path: 'scripts/args.sh', skill: 'reader' }, 'SKILL_NOT_ACTIVE', /"reader" is not active/],
    [{ path: 'scripts/gem.rb' }, 'SCRIPT_UNAVAILABLE', /it needs "ruby"\. Go on without it\. There is no ruby here\./],
    [{ path: 'scripts/danger.sh' }, 'SCRIPT_DANGEROUS', /line 1 holds a dangerous pattern \(recursive force delete/],
  ])('[RUN-12] refuses %j with %s', async (input, code, reason) => {
    const { session, runner } = await openScripts()
    await use(session, 'tool')
    expect(await call(session, 'run_skill_script', input)).toMatchObject(refusal(code, reason))
    expect(runner.jobs).toStrictEqual([])
  })

  it('[RUN-12] refuses a script where no skill is active, or the active one has none', async () => {
    const { session } = await openScripts()
    expect(await run(session, 'scripts/args.sh')).toMatchObject(refusal('SKILL_NOT_ACTIVE', /No skill is active/))
    await use(session, 'plain')
    expect(await run(session, 'scripts/args.sh')).toMatchObject(refusal('RESOURCE_NOT_FOUND', /It has none at all/))
  })

  it('[RUN-12] is offered exactly while a script can be run', async () => {
    const { session } = await openScripts()
    expect(await toolNames(session)).not.toContain('run_skill_script')
    await use(session, 'plain')
    expect(await toolNames(session)).not.toContain('run_skill_script')
    await use(session, 'tool')
    expect(await toolNames(session)).toContain('run_skill_script')
    await call(session, 'deactivate_skill', {})
    expect(await toolNames(session)).not.toContain('run_skill_script')
  })

  it('[RUN-12] is a risky tool with a list of arguments, under the name that the host gives it', async () => {
    const { session } = await openScripts({ skillToolNames: { runScript: 'exec_script' } })
    await use(session, 'tool')
    const tool = (await session.step({ tools: [] })).tools.find(({ name }) => name === 'exec_script')
    expect(tool).toMatchObject({
      risk: 'risky',
      inputSchema: { required: ['path'], properties: { args: { type: 'array', items: { type: 'string' } } } },
    })
    expect(await call(session, 'exec_script', { path: 'scripts/args.sh' })).toMatchObject({ ok: true })
    expect(session.toolName('EXEC_SCRIPT')).toBe('exec_script')
  })

  it('[RUN-7] stops a script at its limit, and shows what it has printed', async () => {
    const { session } = await openScripts({ scripts: { limits: { timeout: 3_000 } } })
    await use(session, 'tool')
    expect(await run(session, 'scripts/wait.sh')).toMatchObject({
      ok: true,
      value: { end: 'timed-out', stdout: 'started\n' },
      text: expect.stringContaining('started\n[The script was stopped: it may run for 3000 ms') as string,
    })
  })

  it('[RUN-9] ends with its run, and at the end of the session', async () => {
    const { session, runner } = await openScripts()
    await use(session, 'tool')
    const stop = new AbortController()
    const aborted = call(session, 'run_skill_script', { path: 'scripts/wait.sh' }, stop.signal)
    await expect.poll(() => runner.jobs.length).toBe(1)
    stop.abort(new Error('stop'))
    await expect(aborted).rejects.toThrow('stop')
    const ended = run(session, 'scripts/wait.sh')
    await expect.poll(() => runner.jobs.length).toBe(2)
    await session.end()
    expect(await ended).toMatchObject(refusal('SESSION_ENDED', /ended/))
    expect(runner.jobs.every((job) => job.signal.aborted)).toBe(true)
  })

  it('[RUN-12] keeps no other call waiting', async () => {
    const { session, runner } = await openScripts()
    await use(session, 'tool')
    const stop = new AbortController()
    const waiting = call(session, 'run_skill_script', { path: 'scripts/wait.sh' }, stop.signal)
    await expect.poll(() => runner.jobs.length).toBe(1)
    expect(await run(session, 'scripts/args.sh')).toMatchObject({ ok: true })
    expect(await use(session, 'plain')).toMatchObject({ ok: true })
    stop.abort()
    await expect(waiting).rejects.toThrow('This operation was aborted')
  })
})

describe('without a runner', () => {
  it('[RUN-12] is not offered, and a call of it says which option the host lacks', async () => {
    const { session } = await openScripts({ scripts: { runner: undefined } })
    await use(session, 'tool')
    expect(await toolNames(session)).not.toContain('run_skill_script')
    expect(await run(session, 'scripts/args.sh')).toMatchObject(
      refusal('SCRIPT_UNAVAILABLE', /option `scripts.runner` of `openRepertoire` is needed/),
    )
  })

  it('[RUN-12] leaves the name to a tool of the host', async () => {
    const { session } = await openScripts({
      scripts: { runner: undefined },
      toolMap: { run_skill_script: { kind: 'text', argument: 'x' } },
    })
    await use(session, 'tool')
    await session.step({ tools: ['run_skill_script'] })
    const outcome = await session.call({ id: 'own', tool: 'run_skill_script', input: { x: 'y' } }, () => 'own')
    expect(outcome).toStrictEqual({ ok: true, value: 'own' })
  })

  it('[RUN-12] takes the name, if there is one', async () => {
    const { session } = await openScripts()
    await expect(session.step({ tools: ['run_skill_script'] })).rejects.toThrow(/is the name of a skill tool/)
  })

  it('[RUN-12] tells the host which scripts nothing runs, before anybody agrees', async () => {
    const problems: string[] = []
    const { session } = await openScripts(
      { scripts: { runner: undefined } },
      { onProblem: ({ code, message }) => problems.push(`${code} ${message}`) },
    )
    await use(session, 'reader')
    expect(problems).toStrictEqual([
      expect.stringMatching(
        /^NO_SCRIPT_RUNNER The skill "reader" brings scripts \(scripts\/own\.sh\), .* the option `scripts\.runner`/,
      ),
    ])
    await (await session.step({ tools: ['Bash'] })).call({ id: 'b', tool: 'activate_skill', input: { name: 'tool' } })
    expect(problems).toHaveLength(1)
  })

  it('[RUN-8] refuses options for what nothing runs, and what is not a runner', async () => {
    const sources = [memorySource({ layer: 'project', skills: {} })]
    await expect(openRepertoire({ sources, scripts: { network: true } })).rejects.toThrow(
      '`scripts.network` is for a runner, and there is none.',
    )
    const runner = processRunner()
    for (const [wrong, message] of [
      [{}, '`scripts.runner` has no `supports`'],
      [{ ...runner, run: 1 }, '`scripts.runner` has no `run`'],
      [{ ...runner, name: '' }, '`scripts.runner` has no `name`'],
      [{ ...runner, isolation: { name: 'x' } }, '`scripts.runner` has no `isolation`'],
      [null, '`scripts.runner` is null'],
    ] as const) {
      await expect(openRepertoire({ sources, scripts: { runner: wrong as never } })).rejects.toThrow(message)
    }
    await expect(openRepertoire({ sources, scripts: 5 as never })).rejects.toThrow('`scripts` is 5')
    for (const [scripts, message] of [
      [{ environment: { HOME: '/root' } }, '`scripts.environment` holds "HOME", which is set by the runner'],
      [{ environment: { 'A=B': 'c' } }, '`scripts.environment` holds "A=B", which is not the name of a variable'],
      [{ environment: { A: 'a\0b' } }, '`scripts.environment.A` holds a NUL'],
      [{ environment: { A: 1 } }, '`scripts.environment.A` is 1'],
      [{ network: 'yes' }, '`scripts.network` is "yes"'],
      [{ limits: { timeout: 0 } }, '`scripts.limits.timeout` is 0'],
    ] as const) {
      await expect(openRepertoire({ sources, scripts: { runner, ...(scripts as object) } })).rejects.toThrow(message)
    }
  })
})
