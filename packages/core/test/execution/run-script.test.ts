import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  createSkillExecutor,
  type ScriptJob,
  type ScriptLimits,
  type ScriptRunner,
  SkillError,
} from '../../src/index.ts'
import { bytes, RESULT, runner, runScript } from './foreign-runner.ts'

const never = runner(() => expect.unreachable())
const working = runner(() => RESULT)

/** Executes a skill that is a script. */
const execute = (
  using: ScriptRunner,
  { limits, signal }: { limits?: Partial<ScriptLimits>; signal?: AbortSignal } = {},
) =>
  createSkillExecutor({ runner: using, limits }).execute({
    name: 'tool',
    definition: { type: 'script', script: 'echo' },
    signal,
  })
const refusal = (code: string, reason: unknown) => ({ ok: false, refusal: { code, reason } })
const failure = (code: string, reason: unknown, detail: unknown) => ({ ok: false, refusal: { code, reason, detail } })
const containing = (text: string): unknown => expect.stringContaining(text)

describe('a script of a skill', () => {
  it('[RUN-9] is passed to the runner with no environment, no network and the default limits', async () => {
    const jobs: ScriptJob[] = []
    const args = ['a b', ';id', '$(id)', '']
    const outcome = await runScript(
      runner((job) => (jobs.push(job), RESULT)),
      { args },
    )
    expect(outcome).toMatchObject({ ok: true, value: { interpreter: 'sh' } })
    expect(jobs).toEqual([
      {
        interpreter: 'sh',
        interpreterArgs: [],
        script: 'scripts/a.sh',
        args,
        files: expect.arrayContaining([{ path: 'scripts/a.sh', bytes: bytes('echo'), executable: true }]) as unknown,
        environment: {},
        network: false,
        limits: { timeout: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 64 * 1024 * 1024 },
        signal: expect.any(AbortSignal) as AbortSignal,
      },
    ])
  })

  it('[RUN-6] is not run if it is dangerous', async () => {
    const reason =
      '"scripts/a.sh" is not run: line 2 holds a dangerous pattern (recursive force delete of a root). Go on without it.'
    expect(await runScript(never, { text: 'set -e\nrm -rf /\n' })).toMatchObject(refusal('SCRIPT_DANGEROUS', reason))
  })

  it.each([
    [['a\0b'], /Argument 1 .* NUL/],
    [['a', '\uD800'], /Argument 2 .* half of a character/],
    [['x'.repeat(3_000_000)], /longer than 131071 bytes/],
    [Array.from({ length: 20 }, () => 'x'.repeat(100_000)), /longer than 1000000 bytes together/],
    [Array.from({ length: 5_000 }, () => ''), /5000 arguments/],
    [[1], /must be a list of strings/],
  ])('[ABUSE-51] is refused with arguments that no program can take', async (args, reason) => {
    const outcome = await runScript(never, { args })
    expect(outcome).toMatchObject(refusal('INPUT_INVALID', expect.stringMatching(reason)))
  })

  it('[ABUSE-51] may have an argument of many bytes', async () => {
    expect(await runScript(working, { args: ['漢'.repeat(43_000)] })).toMatchObject({ ok: true })
  })

  it('[ABUSE-51] may have arguments of 1,000,000 bytes together, and no more', async () => {
    const args = Array.from({ length: 10 }, () => 'x'.repeat(100_000))
    expect(await runScript(working, { args })).toMatchObject({ ok: true })
    const oneMore = await runScript(working, { args: [...args, 'x'] })
    expect(oneMore).toMatchObject(refusal('INPUT_INVALID', containing('1000000 bytes together')))
  })

  it('[RUN-8] is refused with the remedy if a shell is to read lines that end with CRLF', async () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n')
    const detail = 'Its lines end with CRLF, and bash reads the CR as a part of each command. Save it with LF.'
    const reason = '"scripts/a.sh" cannot be run here. Go on without it.'
    const text = '#!/usr/bin/env bash\nset -euo pipefail\necho\n'
    expect(await runScript(never, { text: crlf(text) })).toMatchObject(failure('SCRIPT_UNAVAILABLE', reason, detail))
    for (const fine of [text, `${text}printf 'a\r\n'\n`, crlf('#!/usr/bin/env python3\nprint(1)\n')]) {
      expect(await runScript(working, { text: fine })).toMatchObject({ ok: true })
    }
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
  ])('[RUN-8] is refused if the runner lacks its interpreter', async (supports, why) => {
    const lacking = runner(() => expect.unreachable(), supports)
    const reason = '"scripts/a.sh" cannot be run here: it needs "ruby". Go on without it.'
    expect(await runScript(lacking, { text: '#!/usr/bin/env ruby\n' })).toMatchObject(
      failure('SCRIPT_UNAVAILABLE', reason, why),
    )
  })

  it('[ABUSE-56] reports that nothing ran if the runner could not start it', async () => {
    const broken = runner(() => Promise.reject(new SkillError('SCRIPT_NOT_STARTED', 'There is no bwrap')))
    const reason = '"scripts/a.sh" could not be started. Go on without it.'
    expect(await runScript(broken)).toMatchObject(failure('SCRIPT_UNAVAILABLE', reason, 'There is no bwrap.'))
  })

  it.each([
    [() => Promise.reject(new Error('ENOSPC')), 'The runner foreign failed. ENOSPC.'],
    [
      () => {
        throw new Error('ENOSPC')
      },
      'The runner foreign failed. ENOSPC.',
    ],
    [() => Promise.reject(Object.create(null)), 'what was thrown cannot be shown.'],
    [() => undefined, 'did not say how "scripts/a.sh" ended.'],
    [() => ({ ...RESULT, stdout: 'text' }), 'did not say how'],
    [() => ({ ...RESULT, exitCode: undefined }), 'did not say how'],
    [() => ({ ...RESULT, end: 'well' }), 'did not say how'],
  ])('[RUN-9] reports that it may have run if the runner failed', async (run, why) => {
    const outcome = await runScript(runner(run))
    if (outcome.ok) expect.unreachable()
    const { reason, detail = '' } = outcome.refusal
    expect(`${reason.replace(/ It may have run, .* before you run it again\.$/, '')} ${detail}`).toContain(why)
    expect(reason).toMatch(/ It may have run, .* before you run it again\.$/)
  })

  it('[RUN-7] [ABUSE-48] has its output cut if the runner did not, output before errors', async () => {
    const flood = {
      ...RESULT,
      stdout: bytes('x'.repeat(20)),
      stderr: bytes('error'),
      dropped: { stdout: 5, stderr: 0 },
    }
    expect(
      await execute(
        runner(() => flood),
        { limits: { maxOutputBytes: 10 } },
      ),
    ).toMatchObject({
      value: { result: { stdout: bytes('xxxxx'), stderr: bytes('error'), dropped: { stdout: 20, stderr: 0 } } },
    })
  })

  it('[RUN-9] passes the signal to the runner', async () => {
    const stop = new AbortController()
    let job: ScriptJob | undefined
    const waiting = runner((given) => {
      job = given
      stop.abort(new Error('stop'))
      return { ...RESULT, end: 'aborted' }
    })
    await expect(execute(waiting, { signal: stop.signal })).rejects.toThrow('stop')
    expect(job?.signal.aborted).toBe(true)
  })

  it('[ABUSE-56] does not start if the signal has aborted before', async () => {
    await expect(execute(never, { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow('stop')
  })
})

describe('a runner that hangs', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('[RUN-9] [ABUSE-46] is abandoned after the limit and a grace period, and its job is aborted', async () => {
    vi.useFakeTimers()
    let job: ScriptJob | undefined
    const hanging = runner((given) => {
      job = given
      return new Promise(() => {})
    })
    const running = execute(hanging, { limits: { timeout: 1_000 } })
    await vi.advanceTimersByTimeAsync(5_999)
    expect(job?.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await running).toMatchObject({
      code: 'SCRIPT_FAILED',
      reason: containing('The runner foreign did not end "skill-script.sh" in time.'),
    })
    expect(job?.signal.aborted).toBe(true)
  })

  it('[RUN-9] is abandoned after a grace period when the signal aborts', async () => {
    vi.useFakeTimers()
    const stop = new AbortController()
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const hanging = runner(() => {
      resolve()
      return new Promise(() => {})
    })
    const running = execute(hanging, { signal: stop.signal }).catch((error: unknown) => error)
    await started
    stop.abort(new Error('stop'))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await running).toMatchObject({ message: 'stop' })
  })
})

describe('the limits of scripts', () => {
  it('[RUN-7] are 60 s and 1,000,000 bytes by default, or as the host says', async () => {
    const defaults = { timeout: 60_000, maxOutputBytes: 1_000_000, maxProcesses: 64, maxFileBytes: 67_108_864 }
    const given: unknown[] = []
    const keeping = runner((job) => (given.push(job.limits), RESULT))
    await execute(keeping)
    await execute(keeping, { limits: { timeout: 5 } })
    expect(given).toEqual([defaults, { ...defaults, timeout: 5 }])
  })

  it.each<[object, string]>([
    [{ timeout: 0 }, '`limits.timeout` is 0'],
    [{ timeout: Infinity }, '`limits.timeout` is Infinity'],
    [{ timeout: 1e12 }, '`limits.timeout` is 1000000000000'],
    [{ maxOutputBytes: -1 }, '`limits.maxOutputBytes` is -1'],
    [{ maxProcesses: 1.5 }, '`limits.maxProcesses` is 1.5'],
    [{ timeoutMs: 5 }, 'Did you mean `limits.timeout`?'],
  ])('[RUN-7] refuses %j', (limits, message) => {
    expect(() => createSkillExecutor({ limits })).toThrow(message)
  })
})
