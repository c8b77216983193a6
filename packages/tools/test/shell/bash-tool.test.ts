import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { ScriptRunner, Workspace } from '@repertoire/core'
import { processRunner, virtualRunner } from '@repertoire/runners'
import { type CommandResult, openBashTool } from '@repertoire/tools'
import { isMissing } from '@repertoire/test-servers'
import { describe, expect, it, vi } from 'vitest'
import { codeOf, errorOf, resultOf, run } from '../run.ts'
import { put, useWorkspace, withBash, workspace } from './workspace-folder.ts'

useWorkspace()

describe.skipIf(isMissing('bubblewrap'))('the tool Bash in bubblewrap (needs bubblewrap)', () => {
  it('[RUN-8, TOOL-5] runs a command line in the workspace, and returns how it ended and what it wrote', async () => {
    put('notes.txt', 'one\ntwo\n')
    await withBash({}, async (tool) => {
      expect(tool).toMatchObject({ name: 'Bash', risk: 'risky', isolation: { name: 'bubblewrap', isolated: true } })
      const command = 'grep -c o < notes.txt | tee count\necho oh >&2; exit 3'
      expect(await run(tool, { command })).toMatchObject({
        success: true,
        result: { exitCode: 3, stdout: '2\n', stderr: 'oh\n', truncated: false },
        durationMs: expect.any(Number),
      })
      expect(readFileSync(join(workspace, 'count'), 'utf8')).toBe('2\n')
    })
  })

  it('[RUN-8] is read-only unless the host says otherwise', async () => {
    put('notes.txt', 'notes')
    await withBash({ workspace: { access: 'read' } }, async (tool) => {
      const { stdout } = await resultOf<CommandResult>(tool, { command: 'cat notes.txt; echo x >new; rm -f notes.txt' })
      expect(stdout).toBe('notes')
      expect(readdirSync(workspace)).toEqual(['notes.txt'])
      expect(tool.description).toContain('can be read and not changed')
    })
  })

  it('[RUN-8] starts each call anew, and numbers lines as the command does', async () => {
    await withBash({}, async (tool) => {
      await resultOf(tool, { command: 'mkdir deep; cd deep; left=1; echo x >"$TMPDIR/file"' })
      const command = 'echo "$PWD ${left-gone}"; ls "$TMPDIR"\n\nnot-a-command'
      const { stdout, stderr, exitCode } = await resultOf<CommandResult>(tool, { command })
      expect({ stdout, exitCode }).toEqual({ stdout: '/workspace gone\n', exitCode: 127 })
      expect(stderr).toContain('line 3:')
      const broken = await resultOf<CommandResult>(tool, { command: 'echo a\necho b }; )' })
      expect(broken.exitCode).not.toBe(0)
      expect(broken.stderr).toContain('`echo b }; )')
      expect(broken.stderr).not.toContain('WORKSPACE_DIR')
    })
  })

  it('[RUN-8] keeps the environment of the host from commands, and gives them what the host names', async () => {
    process.env['BASH_TOOL_SECRET'] = 'secret'
    try {
      await withBash({ environment: { GREETING: 'hello', BASH_TOOL: 'own' } }, async (tool) => {
        const command = 'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; ls /proc/self/fd | wc -l'
        const { stdout } = await resultOf<CommandResult>(tool, { command })
        expect(stdout).toContain('GREETING=hello\n')
        expect(stdout).not.toContain('secret')
        const names = new Set(stdout.split('\n').flatMap((line) => /^(\w+)=/.exec(line)?.[1] ?? []))
        // Bubblewrap itself is started with LC_ALL.
        const known =
          'BASH_TOOL GREETING HOME LANG LC_ALL OLDPWD PATH PWD SHLVL SKILL_DIR TMPDIR WORKSPACE_DIR _'.split(' ')
        expect([...names].toSorted()).toEqual(known.toSorted())
      })
    } finally {
      delete process.env['BASH_TOOL_SECRET']
    }
  })

  it('[RUN-8] has no network unless the host allows it', async () => {
    const command = 'cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d " "'
    await withBash({}, async (tool) => {
      expect((await resultOf<CommandResult>(tool, { command })).stdout).toBe('lo\n')
      const dial = 'echo >/dev/tcp/127.0.0.1/9'
      expect((await resultOf<CommandResult>(tool, { command: dial })).exitCode).not.toBe(0)
      expect(tool.description).toContain('There is no network.')
    })
    await withBash({ network: true }, async (tool) => expect(tool.description).not.toContain('There is no network'))
  })

  it('[ABUSE-46, ABUSE-48] ends what takes too long with all that it started, and cuts a flood', async () => {
    await withBash({ limits: { maxOutputBytes: 1_000, timeout: 20_000 } }, async (tool) => {
      const command = 'setsid bash -c "while :; do sleep 0.05; echo x >>alive; done" >/dev/null 2>&1 & yes'
      const late = await run<CommandResult>(tool, { command, timeoutMs: 1_500 })
      expect(late).toMatchObject({ success: false, error: { code: 'TIMED_OUT' }, result: { truncated: true } })
      expect((late as { result: CommandResult }).result.stdout).toHaveLength(1_000)
      // The process namespace of the sandbox is gone with everything in it, so nobody can write to the file again.
      const size = readFileSync(join(workspace, 'alive')).byteLength
      const { stdout } = await resultOf<CommandResult>(tool, {
        command: 'sleep 0.5; wc -c <alive; ps -e | wc -l || true',
      })
      expect(stdout).toMatch(new RegExp(`^${size}\\n`))
      expect(await codeOf(tool, { command: 'true', timeoutMs: 20_001 })).toBe('INPUT_INVALID')
    })
  })

  it('[RUN-8] ends a command that is aborted, and rejects with the reason', async () => {
    await withBash({}, async (tool) => {
      const controller = new AbortController()
      const running = run(tool, { command: 'echo x >started; sleep 60' }, controller.signal)
      while (!existsSync(join(workspace, 'started'))) await new Promise((resolve) => setImmediate(resolve))
      controller.abort(new Error('enough'))
      await expect(running).rejects.toThrow('enough')
    })
  })

  it('[ABUSE-51] refuses what no file of a script can hold', async () => {
    await withBash({}, async (tool) => {
      for (const input of [{ command: 'a\0b' }, { command: '\uD800' }, { command: '' }, {}, { command: 'x', cwd: '/' }])
        expect(await codeOf(tool, input)).toBe('INPUT_INVALID')
    })
  })
})

it('[RUN-8] works on a copy in memory with the virtual shell', async () => {
  put('notes.txt', 'notes')
  const runner = (shown: Workspace) => virtualRunner({ workspace: shown })
  await withBash({ runner }, async (tool) => {
    expect(tool.isolation.name).toBe('virtual shell')
    const command = 'cat notes.txt; echo x >notes.txt; echo y >new; cat notes.txt new'
    expect(await resultOf(tool, { command })).toMatchObject({ exitCode: 0, stdout: 'notesx\ny\n' })
    expect(await resultOf(tool, { command: 'cat notes.txt; ls' })).toMatchObject({ stdout: 'notesnotes.txt\n' })
    expect(readFileSync(join(workspace, 'notes.txt'), 'utf8')).toBe('notes')
    expect(readdirSync(workspace)).toEqual(['notes.txt'])
  })
})

it('[RUN-8, ABUSE-53] takes a runner without isolation only where the host says so', async () => {
  const closed: string[] = []
  const runner = (shown: Workspace) => ({
    ...processRunner({ workspace: shown }),
    close: async () => void closed.push('closed'),
  })
  const refused = openBashTool({ workspace: { path: workspace }, runner })
  await expect(refused).rejects.toMatchObject({
    code: 'SCRIPT_NOT_STARTED',
    message: expect.stringContaining('allowWithoutIsolation'),
  })
  expect(closed).toEqual(['closed'])
  const open = (shown: Workspace): ScriptRunner => processRunner({ workspace: shown })
  const named = { runner: open, allowWithoutIsolation: true, name: 'shell' }
  await withBash(named, async (tool) => {
    expect(tool.name).toBe('shell')
    expect(await resultOf(tool, { command: 'pwd -P' })).toMatchObject({ stdout: `${workspace}\n` })
  })
})

it('[RUN-8] refuses a runner that shows no workspace, or has no bash', async () => {
  const open = (runner: () => ReturnType<typeof virtualRunner>) =>
    openBashTool({ workspace: { path: workspace }, runner })
  await expect(open(() => virtualRunner())).rejects.toMatchObject({
    code: 'SCRIPT_NOT_STARTED',
    message: expect.stringContaining('opened with the workspace'),
  })
  const without = () => ({ ...virtualRunner(), supports: () => 'It has no bash.' })
  await expect(open(without)).rejects.toMatchObject({ code: 'SCRIPT_NOT_STARTED', message: 'It has no bash.' })
})

describe('with a runner of the host', () => {
  /** The virtual shell for the first command, and then what the test says. */
  function runner(then: ScriptRunner['run']): () => ScriptRunner {
    const virtual = virtualRunner({ workspace: { path: workspace } })
    let next: ScriptRunner['run'] = async (job) => {
      next = then
      return virtual.run(job)
    }
    return () => ({ ...virtual, run: (job) => next(job) })
  }

  it('[RUN-8] says what it throws as an error of the result', async () => {
    const broken = runner(() => Promise.reject(new Error('the line is dead')))
    await withBash({ runner: broken }, async (tool) => {
      const message = 'The command was not run: the line is dead'
      expect(await errorOf(tool, { command: 'true' })).toEqual({ code: 'FAILED', message })
    })
  })

  it('[ABUSE-46] does not wait for one that never returns', async () => {
    vi.useFakeTimers()
    try {
      const silent = runner(() => new Promise(() => {}))
      await withBash({ runner: silent, limits: { timeout: 1_000 } }, async (tool) => {
        const late = errorOf(tool, { command: 'true' })
        await vi.advanceTimersByTimeAsync(6_000)
        expect(await late).toMatchObject({ code: 'FAILED', message: expect.stringContaining('did not return') })
        const controller = new AbortController()
        const aborted = run(tool, { command: 'true' }, controller.signal)
        controller.abort(new Error('enough'))
        const reason = aborted.then(
          () => undefined,
          (error: unknown) => error,
        )
        await vi.advanceTimersByTimeAsync(5_000)
        expect(await reason).toMatchObject({ message: 'enough' })
      })
    } finally {
      vi.useRealTimers()
    }
  })

  it('[RUN-8] says that a command was ended with it', async () => {
    const nothing = new Uint8Array()
    const result = { stdout: nothing, stderr: nothing, dropped: { stdout: 0, stderr: 0 }, durationMs: 1 }
    const ended = runner(async () => ({ end: 'aborted', ...result }))
    await withBash({ runner: ended }, async (tool) => {
      const message = 'The command was ended, since its runner was closed.'
      expect(await errorOf(tool, { command: 'true' })).toEqual({ code: 'FAILED', message })
    })
    const killed = runner(async () => ({ end: 'signalled', signalName: 'SIGSEGV', ...result }))
    await withBash({ runner: killed }, async (tool) =>
      expect(await resultOf(tool, { command: 'true' })).toMatchObject({ signalName: 'SIGSEGV' }),
    )
  })
})

it('[RUN-8] refuses options of another shape', async () => {
  const base = { workspace: { path: workspace }, runner: () => virtualRunner({ workspace: { path: workspace } }) }
  const wrong = [
    [{ workspace: { path: join(workspace, 'missing') } }, 'missing", is not a folder'],
    [{ workspace: { path: workspace, access: 'all' } }, '`workspace.access` is "all"'],
    [{ workspace: { path: workspace, protect: '.env' } }, '`workspace.protect` is ".env"'],
    [{ hide: ['.env'] }, 'Did you mean `workspace.hide`?'],
    [{ git: 'yes' }, '`git` is "yes"'],
    [{ limits: { timeout: 0 } }, '`limits.timeout` is 0'],
    [{ limits: { maxProcesses: 1.5 } }, '`limits.maxProcesses` is 1.5'],
  ] as const
  for (const [options, message] of wrong)
    await expect(openBashTool({ ...base, ...(options as object) })).rejects.toThrow(message)
})
