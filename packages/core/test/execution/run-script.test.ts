import { afterEach, describe, expect, it, vi } from 'vitest'
import { type ScriptJob, type ScriptResult, type ScriptRunner, SkillError, createExecutor } from '../../src/index.ts'
import { resolveScriptLimits } from '../../src/options/index.ts'
import { DEFAULT_SCRIPT_LIMITS } from '../../src/execution/settings.ts'
import { type ScriptRun, runScript } from '../../src/execution/run-script.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const RESULT: ScriptResult = {
  end: 'exited',
  exitCode: 0,
  stdout: bytes('out'),
  stderr: bytes(''),
  dropped: { stdout: 0, stderr: 0 },
  durationMs: 3,
}

/** A foreign runner, of which core must believe nothing. */
function runner(run: (job: ScriptJob) => unknown, supports: (name: string) => unknown = () => true): ScriptRunner {
  return {
    name: 'foreign',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: supports as ScriptRunner['supports'],
    run: run as ScriptRunner['run'],
  }
}

function script(text: string, more: Partial<ScriptRun> = {}): ScriptRun {
  return {
    runner: runner(() => RESULT),
    script: 'scripts/a.sh',
    files: [{ path: 'scripts/a.sh', bytes: bytes(text), executable: false }],
    ...more,
  }
}

describe('runScript', () => {
  it('[RUN-9] gives a runner exactly the job: no environment, no network and the limits unless they are given', async () => {
    const jobs: ScriptJob[] = []
    const run = script('echo', { runner: runner((job) => (jobs.push(job), RESULT)), args: ['a b', ';id', '$(id)', ''] })
    expect(await runScript(run)).toStrictEqual({ ok: true, interpreter: 'sh', result: RESULT })
    expect(jobs).toStrictEqual([
      {
        interpreter: 'sh',
        interpreterArgs: [],
        script: 'scripts/a.sh',
        args: ['a b', ';id', '$(id)', ''],
        files: run.files,
        environment: {},
        network: false,
        limits: { timeoutMs: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 64 * 1024 * 1024 },
        signal: expect.any(AbortSignal) as AbortSignal,
      },
    ])
  })

  it('[RUN-6] does not run a dangerous script', async () => {
    const run = script('set -e\nrm -rf /\n', { runner: runner(() => expect.unreachable()) })
    expect(await runScript(run)).toStrictEqual({
      ok: false,
      code: 'SCRIPT_DANGEROUS',
      reason: '"scripts/a.sh" is not run: line 2 holds a dangerous pattern (recursive force delete of a root).',
    })
  })

  it.each([
    [['a\0b'], /Argument 1 .* NUL/],
    [['a', '\uD800'], /Argument 2 .* half of a character/],
    [['x'.repeat(3_000_000)], /longer than 131071 bytes/],
    [Array.from({ length: 20 }, () => 'x'.repeat(100_000)), /longer than 1000000 bytes together/],
    [Array.from({ length: 5_000 }, () => ''), /5000 arguments/],
    [[1], /Argument 1 is not a string/],
  ])('[ABUSE-51] refuses arguments that no program can be given', async (args, reason) => {
    const run = script('echo', { runner: runner(() => expect.unreachable()), args: args as string[] })
    const outcome = await runScript(run)
    expect(outcome).toMatchObject({ ok: false, code: 'INPUT_INVALID', reason: expect.stringMatching(reason) as string })
  })

  it('[ABUSE-51] takes an argument of many bytes, where a program does', async () => {
    expect(await runScript(script('echo', { args: ['漢'.repeat(43_000)] }))).toMatchObject({ ok: true })
  })

  it('[ABUSE-51] counts the bytes of all arguments as they are', async () => {
    const args = Array.from({ length: 10 }, () => 'x'.repeat(100_000))
    expect(await runScript(script('echo', { args }))).toMatchObject({ ok: true })
    const oneMore = await runScript(script('echo', { args: [...args, 'x'] }))
    expect(oneMore).toMatchObject({ ok: false, reason: expect.stringContaining('1000000 bytes together') as string })
  })

  it.each([
    [() => 'The shell has no Ruby.', 'The shell has no Ruby.'],
    [() => false, 'The runner foreign does not have it.'],
    [() => Promise.resolve(true), 'The runner foreign does not have it.'],
    [
      () => {
        throw new Error('broken')
      },
      'The runner foreign could not say whether it has it: broken.',
    ],
  ])('[RUN-8] refuses what the runner does not have', async (supports, why) => {
    const run = script('#!/usr/bin/env ruby\n', { runner: runner(() => expect.unreachable(), supports) })
    expect(await runScript(run)).toStrictEqual({
      ok: false,
      code: 'SCRIPT_UNAVAILABLE',
      reason: `"scripts/a.sh" cannot be run: it needs "ruby". ${why}`,
      interpreter: 'ruby',
    })
  })

  it('[ABUSE-56] says that nothing ran, where a runner could not start it', async () => {
    const broken = runner(() => Promise.reject(new SkillError('SCRIPT_NOT_STARTED', 'There is no bwrap')))
    expect(await runScript(script('echo', { runner: broken }))).toMatchObject({
      code: 'SCRIPT_UNAVAILABLE',
      reason: '"scripts/a.sh" could not be started: There is no bwrap.',
    })
  })

  it.each([
    [() => Promise.reject(new Error('ENOSPC')), 'The runner foreign failed: ENOSPC.'],
    [
      () => {
        throw new Error('ENOSPC')
      },
      'The runner foreign failed: ENOSPC.',
    ],
    [() => Promise.reject(Object.create(null)), 'its error cannot be shown.'],
    [() => undefined, 'did not say how "scripts/a.sh" ended.'],
    [() => ({ ...RESULT, stdout: 'text' }), 'did not say how'],
    [() => ({ ...RESULT, exitCode: undefined }), 'did not say how'],
    [() => ({ ...RESULT, end: 'well' }), 'did not say how'],
  ])('[RUN-9] says that a script may have run, where its runner failed', async (run, why) => {
    const outcome = await runScript(script('echo', { runner: runner(run) }))
    expect(outcome).toMatchObject({ ok: false, code: 'SCRIPT_FAILED' })
    expect(outcome).toHaveProperty('reason', expect.stringContaining(why))
    expect(outcome).toHaveProperty('reason', expect.stringContaining('The script may have run'))
  })

  it('[RUN-7] [ABUSE-48] cuts what a runner has not cut, output before errors', async () => {
    const limits = { ...DEFAULT_SCRIPT_LIMITS, maxOutputBytes: 10 }
    const flood = {
      ...RESULT,
      stdout: bytes('x'.repeat(20)),
      stderr: bytes('error'),
      dropped: { stdout: 5, stderr: 0 },
    }
    const outcome = await runScript(script('echo', { runner: runner(() => flood), limits }))
    expect(outcome).toMatchObject({
      result: { stdout: bytes('xxxxx'), stderr: bytes('error'), dropped: { stdout: 20, stderr: 0 } },
    })
  })

  it('[RUN-9] passes the signal on, and gives the result of a runner that ends then', async () => {
    const stop = new AbortController()
    const waiting = runner(
      (job) =>
        new Promise((resolve) => {
          job.signal.addEventListener('abort', () => resolve({ ...RESULT, end: 'aborted' }))
          stop.abort(new Error('stop'))
        }),
    )
    const outcome = await runScript(script('echo', { runner: waiting, signal: stop.signal }))
    expect(outcome).toMatchObject({ ok: true, result: { end: 'aborted', stdout: bytes('out') } })
  })

  it('[ABUSE-56] starts nothing, where the signal has aborted before', async () => {
    const run = script('echo', { runner: runner(() => expect.unreachable()), signal: AbortSignal.abort() })
    expect(await runScript(run)).toMatchObject({ ok: true, result: { end: 'aborted' } })
  })
})

describe('runScript with a runner that hangs', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('[RUN-9] [ABUSE-46] returns by the limit and a grace, and aborts the job', async () => {
    vi.useFakeTimers()
    let job: ScriptJob | undefined
    const hanging = runner((given) => {
      job = given
      return new Promise(() => {})
    })
    const running = runScript(script('echo', { runner: hanging, limits: resolveScriptLimits({ timeoutMs: 1_000 }) }))
    await vi.advanceTimersByTimeAsync(5_999)
    expect(job?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await running).toMatchObject({
      code: 'SCRIPT_FAILED',
      reason: expect.stringContaining('The runner foreign did not end "scripts/a.sh" in time.') as string,
    })
    expect(job?.signal.aborted).toBe(true)
  })

  it('[RUN-9] does not wait longer than the grace after the signal', async () => {
    vi.useFakeTimers()
    const stop = new AbortController()
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const hanging = runner(() => {
      resolve()
      return new Promise(() => {})
    })
    const running = runScript(script('echo', { runner: hanging, signal: stop.signal }))
    await started
    stop.abort()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await running).toMatchObject({ code: 'SCRIPT_FAILED' })
  })
})

describe('resolveScriptLimits', () => {
  it('[RUN-7] has 60 s and 1,000,000 bytes by default, and takes others', () => {
    expect(resolveScriptLimits()).toStrictEqual(DEFAULT_SCRIPT_LIMITS)
    expect(resolveScriptLimits({ timeoutMs: 5 })).toStrictEqual({ ...DEFAULT_SCRIPT_LIMITS, timeoutMs: 5 })
  })

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: Infinity },
    { timeoutMs: 1e12 },
    { maxOutputBytes: -1 },
    { maxProcesses: 1.5 },
    { timeout: 5 } as object,
  ])('[RUN-7] refuses %j', (limits) => {
    expect(() => createExecutor({ limits })).toThrow(TypeError)
  })
})
